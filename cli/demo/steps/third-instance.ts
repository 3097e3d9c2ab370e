import { Kinds } from '../../../sdk/api/kinds';
import { instance, lease } from '../declared';
import { names, refusedFor, writesNothing } from '../judge';
import type { Step } from '../step';

/** A third machine on a lease that has two. */
export const thirdOnExistingLease: Step = {
  title: ({ plan }) => `A third VM on that Mac is refused at ${plan}`,
  async run({ a, admin, show }) {
    const project = a.project('ci');
    project.declare(lease('ci'), ...['vm-1', 'vm-2', 'vm-3'].map((vm) => instance(vm, 'ci')));
    const [run, untouched] = await writesNothing(admin, () => project.plan());
    show(a, run);
    const serial = (await admin.get(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' })).status?.chassis ?? 'no chassis';
    return [...refusedFor(run, 'ThirdInstance'), names(run, `${a.namespace}/vm-1`, `${a.namespace}/vm-2`, `${a.namespace}/ci`, serial), untouched];
  },
};

/** A lease and three machines that do not exist yet. */
export const thirdOnNewLease: Step = {
  title: ({ plan }) => `A lease and three VMs, all new, are refused at ${plan} from the program alone`,
  async run({ a, admin, show }) {
    const project = a.project('batch');
    project.declare(lease('batch'), ...['batch-1', 'batch-2', 'batch-3'].map((vm) => instance(vm, 'batch')));
    const [run, untouched] = await writesNothing(admin, () => project.plan());
    show(a, run);
    return [...refusedFor(run, 'ThirdInstance'), names(run, 'batch-1', 'batch-2', 'batch-3'), untouched];
  },
};
