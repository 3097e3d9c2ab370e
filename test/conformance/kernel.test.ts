import { isKernelLimit, SimMac } from '../../agent';
import { describeLayer, notAsked, type Answer } from './table';

/** The kernel of a simulated Mac, with nobody between it and who starts machines. */
const mac = () => new SimMac();

async function start(kernel: SimMac, name: string): Promise<Answer> {
  kernel.createBundle(name);
  const running = kernel.running().length;
  try {
    await kernel.boot(name);
    return [];
  } catch (error) {
    if (!isKernelLimit(error)) throw error;
    return [running >= 2 ? 'ThirdInstance' : 'KernelLimit'];
  }
}

async function startBeside(existing: readonly { readonly name: string; readonly phase: string }[], starting: readonly string[]): Promise<Answer> {
  const kernel = mac();
  for (const { name, phase } of existing) {
    await start(kernel, name);
    if (phase === 'Failed') kernel.end(name);
  }
  const answers = await Promise.all(starting.map((name) => start(kernel, name)));
  return answers.flat();
}

async function startOverLeak(): Promise<Answer> {
  const kernel = mac();
  for (const name of ['a', 'b']) await start(kernel, name);
  kernel.faults.leakNextSlot = true;
  kernel.end('b');
  return start(kernel, 'c');
}

describeLayer('kernel', (row) => {
  const { ask } = row;
  switch (ask.kind) {
    case 'start': return startBeside(ask.existing, ask.starting);
    case 'leaked-slot': return startOverLeak();
    default: return notAsked(row);
  }
});
