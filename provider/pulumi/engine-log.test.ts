import { engineLog } from './engine-log';

interface Request { getSeverity(): number; getMessage(): string; getUrn(): string }
type Client = NonNullable<ReturnType<Parameters<typeof engineLog>[0]>>;

describe("the engine's log", () => {
  const client = (answer: (request: Request) => Error | null): Client => ({ log: (request: Request, done: (error: Error | null) => void) => done(answer(request)) }) as unknown as Client;

  it('gets severity, text and the resource that they are about', async () => {
    const got: unknown[] = [];
    const log = engineLog(() => client((request) => { got.push([request.getSeverity(), request.getMessage(), request.getUrn()]); return null; }));
    await log.say('warning', 'Held: x', 'urn:a');
    await log.say('error', 'ThirdInstance: y', '');
    expect(got).toEqual([[2, 'Held: x', 'urn:a'], [3, 'ThirdInstance: y', '']]);
  });

  it('is over where the engine has ended the run: nobody is left to tell', async () => {
    const closed = { log: () => { throw new Error('Channel has been shut down'); } } as unknown as Client;
    await engineLog(() => closed).say('error', 'x', '');
    for (const code of [1, 14]) await engineLog(() => client(() => Object.assign(new Error('ended'), { code }))).say('error', 'x', '');
  });

  it('fails with the engine, and is silent where there is none', async () => {
    const gone = new Error('14 UNAVAILABLE');
    await expect(engineLog(() => client(() => gone)).say('error', 'x', '')).rejects.toBe(gone);
    await engineLog(() => undefined).say('error', 'x', '');
  });
});
