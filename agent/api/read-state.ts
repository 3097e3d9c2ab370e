import type { AgentState } from '../../sdk/client/agent-reader';
import type { AgentInstance } from '../../sdk/client/agent-state';
import type { Context } from '../context';
import type { Disk, Identity } from '../driver';
import { MOST_MACHINES } from '../limit';
import type { Pin } from '../node/pin';

/** The hypervisor's word at this moment. Rejects where it does not answer: half a state is none. */
export async function readState(ctx: Context, pin: Pin): Promise<AgentState> {
  const { hypervisor } = ctx;
  const [vms, disks] = [await hypervisor.list(), await hypervisor.disks()];
  const bindingUID = await pin.held(ctx, vms, disks);
  return {
    serial: ctx.serial, hardwareUUID: await hypervisor.hardwareUUID(), bootID: await hypervisor.bootID(),
    ...(bindingUID === undefined ? {} : { bindingUID }),
    capacity: await readCapacity(ctx),
    vms: vms.map(({ name, instanceUID, machineID, mac, state }) => ({ name, ...(instanceUID === undefined ? {} : { instanceUID }), machineID, mac, state })),
    disks: disks.map(({ instanceUID }) => ({ instanceUID })),
  };
}

/** `max` is the constant of the licence; it cannot be set. */
export async function readCapacity({ hypervisor }: Context): Promise<AgentState['capacity']> {
  return { max: MOST_MACHINES, running: (await hypervisor.list()).length, kernelQuota: await hypervisor.probeLimit() };
}

/** Every running machine, and every bundle of ours that does not run. */
export async function readInstances(ctx: Context): Promise<readonly AgentInstance[]> {
  const [vms, disks] = [await ctx.hypervisor.list(), await ctx.hypervisor.disks()];
  const running = new Set(vms.map(({ instanceUID }) => instanceUID));
  const stopped = disks.filter(({ instanceUID }) => !running.has(instanceUID));
  return [
    ...vms.map(({ name, instanceUID, ip, state, ...identity }) => ({ name, ...identityOf(identity), ...(ip === undefined ? {} : { ip }), state, ...explain(ctx, instanceUID) })),
    ...stopped.map((disk: Disk) => ({ name: disk.instanceUID, ...identityOf(disk), state: 'Stopped' as const, ...explain(ctx, disk.instanceUID) })),
  ];
}

const identityOf = ({ machineID, mac }: Identity): Identity => ({ machineID, mac });

/** Whose machine it is, as the journal has it. */
function explain({ journal }: Context, instanceUID: string | undefined): Partial<AgentInstance> {
  if (instanceUID === undefined) return {};
  const facts = journal.ledger.byInstance.get(instanceUID)?.facts;
  if (facts === undefined) return { instanceUID };
  const { podUID, leaseUID, bindingUID, tenant } = facts;
  return { instanceUID, podUID, leaseUID, bindingUID, tenant };
}
