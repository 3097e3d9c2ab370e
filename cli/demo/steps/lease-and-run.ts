import { Kinds } from '../../../sdk/api/kinds';
import { instance, lease } from '../declared';
import { exits } from '../judge';
import { finding, type Step } from '../step';

/** Tenant A leases a Mac and runs two machines on it. */
export const leaseAndRun: Step = {
  title: () => 'Tenant A leases a Mac and runs two macOS VMs on it',
  async run({ a, admin, show }) {
    const project = a.project('ci');
    project.declare(lease('ci'), instance('vm-1', 'ci'), instance('vm-2', 'ci'));
    const run = await project.apply();
    show(a, run);
    const bound = await admin.tryGet(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' });
    const { items } = await admin.list(Kinds.MacOSInstance, { namespace: a.namespace });
    const running = items.filter((i) => i.status?.phase === 'Running');
    const machines = new Set(running.map((i) => i.status?.machineID));
    return [
      exits(run, 0),
      finding('the lease is Bound', bound?.status?.phase === 'Bound', `${bound?.status?.phase ?? 'absent'} to Mac ${bound?.status?.chassis ?? 'none'} until at least ${bound?.status?.earliestReleaseAt ?? 'never'}`),
      finding('two VMs run, each with a machine identifier of its own', running.length === 2 && machines.size === 2, `${running.length} running, ${machines.size} machine identifiers`),
    ];
  },
};
