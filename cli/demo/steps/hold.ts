import { Kinds } from '../../../sdk/api/kinds';
import { header, instance, lease, ref } from '../configurations';
import { exits, names, refusedFor, writesNothing } from '../judge';
import { finding, type Demo, type Step } from '../step';

const config = ({ a }: Demo, ...settings: readonly string[]): string => [header(a.kubeconfig), lease('ci', ...settings), instance('vm-1', ref('ci')), instance('vm-2', ref('ci'))].join('\n');

/** Destroying a young lease. */
export const refuseEarlyDestroy: Step = {
  title: 'A destroy before the floor is refused at plan, with the VMs still running',
  async run(demo) {
    const { a, admin, show } = demo;
    const workspace = a.workspace('ci');
    workspace.write(config(demo));
    const [run, untouched] = await writesNothing(admin, () => workspace.destroy());
    show(a, run);
    const floor = (await admin.get(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' })).status?.earliestReleaseAt ?? 'no floor';
    const { items } = await admin.list(Kinds.MacOSInstance, { namespace: a.namespace });
    const running = items.filter((i) => i.status?.phase === 'Running').length;
    return [...refusedFor(run, 'EarlyRelease'), names(run, floor), finding('both VMs still run', running === 2, `${running} running`), untouched];
  },
};

/** The way out that keeps the rule. */
export const destroyToHeld: Step = {
  title: 'With on_early_release = "hold" applied, a destroy leaves the lease Held',
  async run(demo) {
    const { a, admin, show } = demo;
    const workspace = a.workspace('ci');
    workspace.write(config(demo, 'on_early_release = "hold"'));
    const applied = await workspace.apply();
    show(a, applied);
    const destroyed = await workspace.destroy();
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
  title: 'The next plan warns that the lease is Held, until when, and that it is billed',
  async run({ a, admin, show }) {
    const workspace = a.workspace('next');
    workspace.write([header(a.kubeconfig), lease('next')].join('\n'));
    const [run, untouched] = await writesNothing(admin, () => workspace.plan());
    show(a, run);
    const floor = (await admin.get(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' })).status?.earliestReleaseAt ?? 'no floor';
    const warnings = run.diagnostics.filter((d) => d.severity === 'warning' && d.summary.startsWith('Held'));
    return [exits(run, 0), finding('one warning about Held leases', warnings.length === 1, `${warnings.length} warnings`), names(run, `${a.namespace}/ci`, floor, 'billed'), untouched];
  },
};
