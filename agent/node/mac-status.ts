import type { MacNodeStatus, ReportedDisk, ReportedVm } from '../../sdk/api/mac-node';
import type { Context } from '../context';
import type { Disk, RunningVM } from '../driver';
import type { Ledger } from '../journal/ledger';
import { readyCondition, setCondition, slotLeakCondition } from './conditions';
import type { Pin } from './pin';

/** One reading of the hypervisor. */
export interface MacFacts { readonly vms: readonly RunningVM[]; readonly disks: readonly Disk[]; readonly boot: string; readonly hardwareUUID: string }

export async function readMac(ctx: Context): Promise<MacFacts> {
  const { hypervisor } = ctx;
  return { vms: await hypervisor.list(), disks: await hypervisor.disks(), boot: await hypervisor.bootID(), hardwareUUID: await hypervisor.hardwareUUID() };
}

/** A machine that the journal does not know has empty UIDs: it is counted and shown, and belongs to nobody. */
function reportVm(vm: RunningVM, ledger: Ledger, now: string): ReportedVm {
  const run = ledger.byInstance.get(vm.instanceUID ?? '');
  const { podUID = '', leaseUID = '', bindingUID = '' } = run?.facts ?? {};
  return {
    instanceUID: vm.instanceUID ?? '', podUID, leaseUID, bindingUID, machineID: vm.machineID, mac: vm.mac,
    state: run?.stopCause === undefined ? vm.state : 'Stopping', startedAt: run?.startedAt ?? now,
    ...(vm.ip === undefined ? {} : { ip: vm.ip }),
  };
}

function reportDisk({ instanceUID }: Disk, ledger: Ledger): ReportedDisk {
  const { bindingUID = '', tenant = '' } = ledger.byInstance.get(instanceUID)?.facts ?? {};
  return { instanceUID, bindingUID, tenant };
}

/** The status of the MacNode as a merge patch: lists are whole, and what has ended is null. */
export async function macStatusPatch(ctx: Context, former: MacNodeStatus, facts: MacFacts, pin: Pin): Promise<object> {
  const now = ctx.clock.now();
  const { ledger } = ctx.journal;
  const leaked = ledger.leaked(facts.boot);
  const conditions = setCondition(setCondition(former.conditions ?? [], readyCondition(ctx.gate.closed), now), slotLeakCondition(leaked), now);
  return {
    nodeRef: ctx.node,
    agentEndpoint: ctx.endpoint() ?? null,
    vmCount: facts.vms.length,
    vms: facts.vms.map((vm) => reportVm(vm, ledger, now)),
    disks: facts.disks.map((disk) => reportDisk(disk, ledger)),
    bindingUID: await pin.held(ctx, facts.vms, facts.disks) ?? null,
    leaked,
    hardwareUUID: facts.hardwareUUID,
    journalSeq: ledger.seq,
    journal: ledger.tail,
    conditions,
  };
}
