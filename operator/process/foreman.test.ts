import { Foreman } from './foreman';

let events: string[];
let finish: (() => void)[];

beforeEach(() => {
  events = [];
  finish = [];
});

const foreman = () => {
  let number = 0;
  return new Foreman(() => {
    const name = `shift ${number += 1}`;
    events.push(`${name} begins`);
    return { stop: () => new Promise<void>((resolve) => finish.push(() => { events.push(`${name} has ended`); resolve(); })) };
  });
};
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('begins once however often it is wanted', async () => {
  const one = foreman();
  one.want(true);
  one.want(true);
  await settle();
  expect([events, one.running !== undefined]).toEqual([['shift 1 begins'], true]);
});

it('begins nothing before what ends has ended', async () => {
  const one = foreman();
  one.want(true);
  one.want(false);
  await settle();
  one.want(true);
  await settle();
  expect(events).toEqual(['shift 1 begins']);
  finish[0]?.();
  await settle();
  expect(events).toEqual(['shift 1 begins', 'shift 1 has ended', 'shift 2 begins']);
});

it('ends when the step in hand is done', async () => {
  const one = foreman();
  one.want(true);
  const ended = one.end().then(() => events.push('all is over'));
  await settle();
  expect(events).toEqual(['shift 1 begins']);
  finish[0]?.();
  await ended;
  expect(events).toEqual(['shift 1 begins', 'shift 1 has ended', 'all is over']);
});
