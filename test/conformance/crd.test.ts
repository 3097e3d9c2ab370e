import { Kinds } from '../../sdk/api';
import { floorOf } from '../../sdk/rules/duration';
import { formatInstant, instant, parseInstant } from '../../sdk/rules/instant';
import type { ControlPlane } from '../../sdk/client';
import { LayerPlane, OPERATOR, TENANT } from './layer-plane';
import { boundStatus, claimOf, leaseNamed } from './objects';
import { answerInWords, type Wording } from './refusal';
import { describeLayer, notAsked, overAllWays, type Answer, type AskOf } from './table';
import { HOUR_MS } from './verdicts';

const words: readonly Wording[] = [
  { says: 'minimumDuration is at least 24h', reason: 'FloorTooShort' },
  { says: 'minimumDuration only grows', reason: 'FloorTooShort' },
  { says: 'earliestReleaseAt only moves later', reason: 'FloorTooShort' },
  { says: 'earliestReleaseAt is at least 24h after boundAt', reason: 'FloorTooShort' },
  { says: 'that is Releasing or Released cannot be raised', reason: 'LeaseImmutable' },
  { says: 'the class of a lease cannot be changed', reason: 'LeaseImmutable' },
  { says: 'the serial of a lease cannot be changed', reason: 'LeaseImmutable' },
  { says: 'a claim does not change', reason: 'FloorTooShort' },
  { says: 'Released at or after earliestReleaseAt', reason: 'EarlyRelease' },
  { says: 'boundAt is set once', reason: 'EarlyRelease' },
  { says: 'does not go back to Pending or Binding', reason: 'EarlyRelease' },
];

const boundAt = parseInstant('2026-11-29T10:00:00Z');
const after = (ms: number): string => formatInstant(instant(boundAt + ms));

/** The CRDs alone: no policy, no webhook, no operator. */
let layer: LayerPlane;
let tenant: ControlPlane;
let operator: ControlPlane;
let count = 0;
beforeAll(async () => {
  layer = await LayerPlane.start();
  [tenant, operator] = [await layer.as(TENANT), await layer.as(OPERATOR)];
});
afterAll(() => layer.stop());

const refTo = (name: string) => ({ namespace: TENANT, name });
const answer = (write: Promise<unknown>): Promise<Answer> => answerInWords(write, words);
const writeStatus = (name: string, status: object) => operator.patch(Kinds.MacNodeLease, refTo(name), { status }, { subresource: 'status' });

/** A lease of its own for each row. */
async function bound(spec: { minimumDuration?: string; release?: boolean } & object, phase?: 'Held' | 'Releasing'): Promise<string> {
  const name = `l-${count += 1}`;
  await tenant.create(Kinds.MacNodeLease, leaseNamed(TENANT, name, spec));
  await writeStatus(name, boundStatus('c02base1', boundAt, floorOf(spec.minimumDuration), phase));
  return name;
}

/** The floor stands on the lease, and again on its claim. */
async function newLease({ minimumDuration, adopt }: AskOf<'new-lease'>): Promise<Answer> {
  if (adopt === true) return answer(tenant.patch(Kinds.MacNodeLease, refTo(await bound({ release: true }, 'Held')), { spec: { release: false } }));
  return overAllWays([
    await answer(tenant.create(Kinds.MacNodeLease, leaseNamed(TENANT, `l-${count += 1}`, { minimumDuration }))),
    await answer(claim(minimumDuration)),
  ]);
}

const claim = (minimumDuration = '24h') =>
  operator.create(Kinds.MacNodeBinding, claimOf(`c02m${count += 1}`, { namespace: TENANT, lease: 'l', leaseUID: 'lease-1', namespaceUID: 'ns-1', minimumDuration }));

/** Before the floor there are three ways to Released: as it is, as a lease that was never bound, and as one that may be withdrawn. */
async function release({ afterMs, minimumDuration }: AskOf<'release'>): Promise<Answer> {
  const name = await bound(minimumDuration === undefined ? {} : { minimumDuration });
  const released = { phase: 'Released', releasedAt: after(afterMs) };
  if (afterMs >= floorOf(minimumDuration)) return answer(writeStatus(name, released));
  return overAllWays([await answer(writeStatus(name, { ...released, boundAt: null })), await answer(writeStatus(name, { phase: 'Pending' })), await answer(writeStatus(name, released))]);
}

async function change({ field, from, to, phase }: AskOf<'change'>): Promise<Answer> {
  const lease = await answer(tenant.patch(Kinds.MacNodeLease, refTo(await bound({ [field]: from }, phase)), { spec: { [field]: to } }));
  return field === 'minimumDuration' && floorOf(to) < floorOf(from) ? overAllWays([lease, await changeClaim(from, to)]) : lease;
}

async function changeClaim(from: string, to: string): Promise<Answer> {
  const { metadata } = await claim(from);
  return answer(operator.patch(Kinds.MacNodeBinding, { name: metadata.name }, { spec: { minimumDuration: to } }));
}

/** A first floor of less than a day, and one without an end. */
async function bindForLess(): Promise<Answer> {
  const name = `l-${count += 1}`;
  await tenant.create(Kinds.MacNodeLease, leaseNamed(TENANT, name));
  const short = boundStatus('c02base1', boundAt, 24 * HOUR_MS - 1000);
  return overAllWays([await answer(writeStatus(name, { ...short, earliestReleaseAt: null })), await answer(writeStatus(name, short))]);
}

/** The floor is that of 48 hours, so that an earlier one can still be a day long. Unset, then set: what beats a rule on the field itself. */
async function rewriteFloor({ how }: AskOf<'floor-rewrite'>): Promise<Answer> {
  if (how === 'under a day') return bindForLess();
  const name = await bound({ minimumDuration: '48h' });
  const set = (earliestReleaseAt: string | null): Promise<Answer> => answer(writeStatus(name, { earliestReleaseAt }));
  if (how === 'later') return set(after(72 * HOUR_MS));
  const earlier = after(24 * HOUR_MS);
  return how === 'earlier' ? set(earlier) : overAllWays([await set(null), await set(earlier)]);
}

describeLayer('crd', (row) => {
  const { ask } = row;
  switch (ask.kind) {
    case 'new-lease': return newLease(ask);
    case 'release': return release(ask);
    case 'change': return change(ask);
    case 'floor-rewrite': return rewriteFloor(ask);
    default: return notAsked(row);
  }
});
