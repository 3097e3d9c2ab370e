import { Kinds } from '../../sdk/api/kinds';
import { until } from '../../sdk/client/until';
import { describeRealPlane } from '../harness/real-plane-suite';
import { PATIENCE_S, type Replica } from './replica';
import { NAMESPACE, openWorld, type World } from './world';

jest.setTimeout(240_000);

describeRealPlane('two replicas of the operator on Kubernetes 1.37', () => {
  let world: World;
  let first: Replica;
  let second: Replica;

  const holder = async (): Promise<string | undefined> => (await world.admin.tryGet(Kinds.CoordinationLease, { namespace: NAMESPACE, name: 'macrack-operator' }))?.spec.holderIdentity;

  beforeAll(async () => {
    world = await openWorld(['sim0001', 'sim0002', 'sim0003']);
    first = await world.replica('first');
    await first.untilReady('the first replica leads and is ready', ({ ready, leader }) => ready && leader);
    second = await world.replica('second');
    await world.sendWebhooksTo(second);
    await second.untilReady('the second replica is ready', ({ ready }) => ready);
  });
  afterAll(() => world?.stop());

  it('agree on one leader, and both are ready', async () => {
    expect(await holder()).toBe('first');
    expect([(await first.readiness()).leader, (await second.readiness()).leader]).toEqual([true, false]);
    expect([await first.metric('macrack_leader'), await second.metric('macrack_leader')]).toEqual([1, 0]);
  });

  it('bind a lease, with the webhooks of the one that does not lead', async () => {
    await world.lease('one');
    const { status, metadata } = await world.untilLease('one', 'Bound');
    expect(status?.chassis).toMatch(/^sim/);
    expect(metadata.annotations?.['macrack.io/requested-by']).toBe('tenant-a');
  });

  it('show it in the metrics of the leader, without a name of anybody', async () => {
    await until('the metrics show the leased chassis', async () => await first.metric('macrack_leased_chassis{class="base"}') === 1 || undefined, PATIENCE_S);
    expect(await first.metric('macrack_unleased_chassis{class="base"}')).toBe(2);
    expect(await first.metric('macrack_tamper_proof')).toBe(1);
    const texts = [(await first.ask('/metrics')).text, (await second.ask('/metrics')).text];
    for (const text of texts) expect(text).not.toMatch(/tenant-a|sim000|"one"/);
    expect(texts[1]).not.toMatch(/macrack_leased_chassis\{/);
  });

  it('finish a bind with the other one when the leader is killed', async () => {
    first.child.kill('SIGSTOP');
    await world.lease('two');
    await first.kill();
    await world.untilLease('two', 'Bound');
    expect(await holder()).toBe('second');
    expect(await second.metric('macrack_leader')).toBe(1);
  });

  it('lets a leader that is asked to end hand over at once, with exit status 0', async () => {
    first = await world.replica('first-again');
    await world.sendWebhooksTo(first);
    await first.untilReady('the new replica is ready', ({ ready }) => ready);
    await second.stop();
    expect(await second.ended).toEqual({ code: 0, signal: null });
    expect(second.lines().at(-1)).toMatchObject({ msg: 'the operator has ended' });
    await first.untilReady('the new replica leads', ({ leader }) => leader);
    await world.lease('three');
    await world.untilLease('three', 'Bound');
  });
});
