import { Kinds } from '../../sdk/api';
import { parseInstant } from '../../sdk/rules/instant';
import { MemoryPlane } from '../../sdk/client/testing/memory/memory-plane';
import { until } from '../testing/rig';
import { Announcer } from './announcer';
import type { Trouble } from './checks/checkup';

let plane: MemoryPlane;
let troubles: Trouble[];
let tamperProof: boolean | undefined;
let leads: boolean;
let lines: string[];
let announcer: Announcer;

const SKEW: Trouble = { fault: 'ClockSkew', message: 'the clock is a minute ahead' };

beforeEach(async () => {
  plane = new MemoryPlane(parseInstant('2026-11-29T10:00:00Z'));
  [troubles, tamperProof, leads, lines] = [[], undefined, true, []];
  for (const name of ['base', 'pro']) await plane.create(Kinds.MacClass, { metadata: { name }, spec: { cpu: 8, memory: '16Gi', disk: '256Gi' } });
  const log = { info: (_f: object, m: string) => lines.push(`info ${m}`), warn: (_f: object, m: string) => lines.push(`warn ${m}`), error: (_f: object, m: string) => lines.push(`error ${m}`) };
  announcer = new Announcer({ plane, timers: plane, log, namespace: 'macrack-system', identity: 'a', leads: () => leads, troubles: () => troubles, tamperProof: () => tamperProof });
});
afterEach(() => announcer.stop());

const conditionsOf = (name: string) => Object.fromEntries((plane.peek(Kinds.MacClass, { name })?.status?.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]));
const untilConditions = (expected: object) => until(`conditions are ${JSON.stringify(expected)}`, () => ['base', 'pro'].every((name) => JSON.stringify(conditionsOf(name)) === JSON.stringify(expected)));
const events = async () => (await plane.list(Kinds.Event, { namespace: 'macrack-system' })).items as unknown as { type: string; reason: string; message: string; involvedObject: object }[];

it('shows in every class that all is well', async () => {
  tamperProof = true;
  announcer.changed();
  await untilConditions({ OperatorReady: 'True Working', TamperProof: 'True PoliciesAreFiles' });
  expect(lines).toEqual(['info everything is in order']);
});

it('shows what is wrong in condition, log and Event, and that it is over', async () => {
  announcer.changed();
  troubles = [SKEW];
  announcer.changed();
  await untilConditions({ OperatorReady: 'False ClockSkew' });
  troubles = [];
  announcer.changed();
  await untilConditions({ OperatorReady: 'True Working' });
  expect(lines).toEqual(['info everything is in order', 'error the clock is a minute ahead', 'info everything is in order again']);
  expect((await events()).map(({ type, reason }) => `${type} ${reason}`).sort()).toEqual(['Normal Working', 'Warning ClockSkew']);
});

it('says nothing before everything has been looked at, and repeats nothing', async () => {
  troubles = [{ fault: 'NotChecked', message: 'not checked yet' }];
  announcer.changed();
  troubles = [SKEW];
  announcer.changed();
  announcer.changed();
  await untilConditions({ OperatorReady: 'False ClockSkew' });
  expect([lines.length, (await events()).length]).toEqual([1, 1]);
});

it('writes a condition once, and again when somebody else changed it', async () => {
  announcer.changed();
  await untilConditions({ OperatorReady: 'True Working' });
  const writes = () => plane.requests.filter((r) => r.startsWith('patch-status')).length;
  const before = writes();
  plane.advance(30_000);
  await until('the classes were read again', () => plane.requests.filter((r) => r.startsWith('list macclasses')).length >= 2);
  expect(writes()).toBe(before);
  await plane.patch(Kinds.MacClass, { name: 'pro' }, { status: { conditions: [] } }, { subresource: 'status' });
  plane.advance(30_000);
  await untilConditions({ OperatorReady: 'True Working' });
});

it('leaves the conditions to the leader', async () => {
  leads = false;
  troubles = [SKEW];
  announcer.changed();
  await until('the Event is written', async () => (await events()).length === 1);
  expect(conditionsOf('base')).toEqual({});
});

it('tries again where a condition could not be written', async () => {
  plane.down = 'Unreachable';
  announcer.changed();
  await until('it says so', () => lines.some((line) => /could not be written; it is tried again/.test(line)));
  plane.down = undefined;
  plane.advance(3_000);
  await untilConditions({ OperatorReady: 'True Working' });
});
