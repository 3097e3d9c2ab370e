import { until } from '../../sdk/client/until';
import { CLOCK_PERIOD_MS, HEARTBEAT_MS } from '../../sdk/api/timing';
import { idOf, instance, lease } from '../harness/configuration';
import { asking, leaseOnPlane } from '../harness/plane-eyes';
import { describeTerraform, macs } from '../harness/terraform-suite';

/** Looks without a request between them after which whoever had something to ask has asked it. Looks, not time: a busy machine may stop us for a while. */
const QUIET_LOOKS = 6;

describeTerraform('what is asked of the control plane', { macs: macs(8), tenants: 3 }, (suite) => {
  const tally = (requests: readonly { readonly verb: string; readonly resource: string }[]) => {
    const counts: Record<string, number> = {};
    for (const { verb, resource } of requests) counts[`${verb} ${resource}`] = (counts[`${verb} ${resource}`] ?? 0) + 1;
    return counts;
  };

  /** Waits until nothing has been asked of the plane for a moment. */
  const quiet = () => {
    const { records } = suite().development.plane.requests;
    let [seen, looks] = [-1, 0];
    return until('nobody asks anything', () => {
      [seen, looks] = [records.length, records.length === seen ? looks + 1 : 0];
      return Promise.resolve(looks >= QUIET_LOOKS ? true : undefined);
    });
  };

  /** Refresh and plan of existing leases with two instances each. */
  const planOf = async (leases: number) => {
    const tenant = suite().tenant();
    const names = Array.from({ length: leases }, (_, i) => `l${i}`);
    const project = suite().project(tenant).configure(...names.flatMap((name) => [lease(name), instance(`${name}-a`, idOf(name)), instance(`${name}-b`, idOf(name))]));
    await project.applied();
    const { result, requests } = await asking(suite(), tenant.namespace, () => project.plan('-detailed-exitcode'));
    expect(result.code).toBe(0);
    return tally(requests);
  };

  it('by the plan of 3 existing resources is one list of leases, one of instances and one of classes, and by that of 9 not one request more', async () => {
    const lists = { 'list macnodeleases.macrack.io': 1, 'list macosinstances.macrack.io': 1, 'list macclasses.macrack.io': 1 };
    expect(await planOf(1)).toEqual(lists);
    expect(await planOf(3)).toEqual(lists);
  });

  it('to bind a lease is five writes of the operator', async () => {
    const tenant = suite().tenant();
    const { writes } = await asking(suite(), 'macrack-operator', async () => {
      await suite().project(tenant).configure(lease('ci')).applied();
      await until('the operator has seen all of it', async () => ((await leaseOnPlane(suite(), tenant, 'ci')).status?.observedGeneration === 1 ? true : undefined));
    });
    const bind = writes.filter(({ resource }) => !resource.startsWith('clocks') && !resource.startsWith('macclasses'));
    expect(bind.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
      'patch macnodeleases.macrack.io', 'patch macnodeleases.macrack.io/status', 'create macnodebindings.macrack.io', 'patch nodes', 'patch macnodeleases.macrack.io/status',
    ]);
  });

  it('by an operator and agents that have nothing to do is the Clock, heartbeats and nothing else', async () => {
    const { plane, macs: fleet } = suite().development;
    const beats = (2 * CLOCK_PERIOD_MS) / HEARTBEAT_MS;
    const stamps = () => plane.requests.records.filter(({ verb, resource }) => verb === 'create' && resource === 'clocks.macrack.io').length;
    // Heartbeat by heartbeat, as time goes, so that nobody becomes silent.
    const beat = () => {
      plane.clock.advance(HEARTBEAT_MS);
      return quiet();
    };
    // Two whole periods of the Clock: from one stamp on.
    for (const before = stamps(); stamps() === before;) await beat();
    const from = plane.requests.records.length;
    for (let count = 1; count <= beats; count += 1) await beat();
    // A watch that hears nothing is opened anew, by real time.
    const requests = plane.requests.records.slice(from).filter(({ verb }) => verb !== 'watch');
    expect(tally(requests.filter(({ user }) => user === 'macrack-operator'))).toEqual({ 'delete clocks.macrack.io': 2, 'create clocks.macrack.io': 2 });
    // A Mac that has a disk looks at its Node, live, before it would delete any.
    const withDisks = [...fleet.values()].filter(({ mac }) => mac.bundles().length > 0).length;
    expect(tally(requests.filter(({ user }) => user.startsWith('system:node:')))).toEqual({
      'patch leases.coordination.k8s.io': beats * fleet.size, 'patch nodes/status': beats * fleet.size, 'patch macnodes.macrack.io/status': beats * fleet.size,
      ...(withDisks > 0 && { 'get nodes': beats * withDisks }),
    });
  });
});
