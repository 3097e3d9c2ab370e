import { Kinds } from '../../../sdk/api/kinds';
import { instance, lease } from '../declared';
import { exits, names, refusedFor, writesNothing } from '../judge';
import { finding, type Step } from '../step';

const MACHINES = [instance('vm-1', 'ci'), instance('vm-2', 'ci')];

/** Destroying a young lease. */
export const refuseEarlyDestroy: Step = {
  title: ({ plan }) => `A destroy before the floor is refused at ${plan}, with the VMs still running`,
  async run({ a, admin, show }) {
    const project = a.project('ci');
    project.declare(lease('ci'), ...MACHINES);
    const [run, untouched] = await writesNothing(admin, () => project.destroy());
    show(a, run);
    const floor = (await admin.get(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' })).status?.earliestReleaseAt ?? 'no floor';
    const { items } = await admin.list(Kinds.MacOSInstance, { namespace: a.namespace });
    const running = items.filter((i) => i.status?.phase === 'Running').length;
    return [...refusedFor(run, 'EarlyRelease'), names(run, floor), finding('both VMs still run', running === 2, `${running} running`), untouched];
  },
};

/** The way out that keeps the rule. */
export const destroyToHeld: Step = {
  title: ({ hold }) => `With ${hold} applied, a destroy leaves the lease Held`,
  async run({ a, admin, show }) {
    const project = a.project('ci');
    project.declare(lease('ci', { onEarlyRelease: 'hold' }), ...MACHINES);
    const applied = await project.apply();
    show(a, applied);
    const destroyed = await project.destroy();
    show(a, destroyed);
    const held = await admin.tryGet(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' });
    const { items } = await admin.list(Kinds.MacOSInstance, { namespace: a.namespace });
    return [
      exits(applied, 0),
      exits(destroyed, 0),
      finding('the lease is Held', held?.status?.phase === 'Held', `${held?.status?.phase ?? 'absent'} until ${held?.status?.earliestReleaseAt ?? 'never'}`),
      finding('the VMs are gone', items.length === 0, `${items.length} left`),
    ];
  },
};

/** What a reviewer reads afterwards. */
export const warnOfHeld: Step = {
  title: ({ plan }) => `The next ${plan} warns that the lease is Held, until when, and that it is billed`,
  async run({ a, admin, show }) {
    const project = a.project('next');
    project.declare(lease('next'));
    const [run, untouched] = await writesNothing(admin, () => project.plan());
    show(a, run);
    const floor = (await admin.get(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' })).status?.earliestReleaseAt ?? 'no floor';
    const warnings = run.warnings('Held');
    return [exits(run, 0), finding('one warning about Held leases', warnings === 1, `${warnings} warnings`), names(run, `${a.namespace}/ci`, floor, 'billed'), untouched];
  },
};
