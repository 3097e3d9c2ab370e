import { z } from 'zod';
import { HypervisorError, type HypervisorFault } from '../../driver';
import { environmentOf, words } from './environment';
import type { Command, Launched, Outcome, Subprocesses } from './subprocesses';

const SECOND = 1000;
const SHORT_MS = 60 * SECOND;
// An image has up to a hundred gigabytes, and tart pulls it before it clones.
const PULL_MS = 3 * 60 * 60 * SECOND;
const ASK_MS = 15 * SECOND;
const SHUT_DOWN = 'sudo -n true && { (sleep 1; sudo -n shutdown -h now) >/dev/null 2>&1 & }';

const listSchema = z.array(z.object({ Name: z.string(), Running: z.boolean() }));

/** Of the texts of tart (its `RuntimeError`) and of the framework below it, those that the agent tells apart. */
const FAULTS: readonly [RegExp, HypervisorFault][] = [
  [/exceeds the system limit|VZErrorDomain Code=6\b|maximum supported number of active virtual machines/i, 'KernelLimit'],
  [/is (already )?running\b/i, 'Busy'],
];
const NOTHING_THERE = /does not exist|is not running/i;

/** tart's command line, one method a command. What tart says when it fails is kept, without secrets. */
export class Tart {
  readonly #environment: ReturnType<typeof environmentOf>;

  constructor(private readonly program: string, private readonly subprocesses: Subprocesses, private readonly agentEnvironment: NodeJS.ProcessEnv) {
    this.#environment = environmentOf(agentEnvironment);
  }

  /** Names of all local machines that run, whoever started them. */
  async running(): Promise<readonly string[]> {
    const { stdout } = await this.#succeed(['list', '--source', 'local', '--format', 'json']);
    try {
      return listSchema.parse(JSON.parse(stdout)).filter(({ Running }) => Running).map(({ Name }) => Name);
    } catch (cause) {
      throw new HypervisorError('Failed', `the answer of tart list cannot be read: ${this.#words(stdout)}`, { cause });
    }
  }

  async clone(image: string, name: string): Promise<void> {
    await this.#succeed(['clone', image, name], PULL_MS);
  }

  /** Sizes of the shape, and always a new machine identifier and MAC: a clone has those of its image. */
  async setUp(name: string, { cpu, memoryMiB, diskGB }: { readonly cpu: number; readonly memoryMiB: number; readonly diskGB: number }): Promise<void> {
    await this.#succeed(['set', name, '--random-mac', '--random-serial', '--cpu', `${cpu}`, '--memory', `${memoryMiB}`, '--disk-size', `${diskGB}`]);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#succeed(['rename', from, to]);
  }

  /** Nothing to delete is success. */
  async delete(name: string): Promise<void> {
    await this.#succeed(['delete', name], SHORT_MS, NOTHING_THERE);
  }

  /** False where the guest cannot be asked: it has no guest agent, or its user may not shut it down. It answers before it does so. */
  async askToShutDown(name: string): Promise<boolean> {
    const asked = this.#run(['exec', name, 'sh', '-c', SHUT_DOWN], ASK_MS);
    return asked.then(({ code }) => code === 0, () => false);
  }

  /** Ends the machine through the framework, which the guest takes for a power cut, and its process after `timeoutMs`. Nothing to stop is success. */
  async stop(name: string, timeoutMs: number): Promise<void> {
    await this.#succeed(['stop', name, '--timeout', `${Math.ceil(timeoutMs / SECOND)}`], timeoutMs + SHORT_MS, NOTHING_THERE);
  }

  /** Undefined while the guest has none. */
  async tryAddress(name: string): Promise<string | undefined> {
    const { code, stdout } = await this.#run(['ip', name], SHORT_MS);
    return code === 0 ? stdout.trim() : undefined;
  }

  /** Without a window, and with nothing of the host shared: neither its sound nor its clipboard. */
  async launch(name: string, outputFile: string): Promise<Launched> {
    const command = this.#command(['run', '--no-graphics', '--no-audio', '--no-clipboard', name]);
    return this.subprocesses.launch(command, outputFile).catch((error: unknown) => Promise.reject(this.#cannot(command, error)));
  }

  /** What a failed command means. */
  fault(command: string, said: string, code: number | null): HypervisorError {
    const [, fault] = FAULTS.find(([pattern]) => pattern.test(said)) ?? [undefined, 'Failed' as const];
    const how = code === null ? 'was killed' : `ended with code ${code}`;
    return new HypervisorError(fault, `tart ${command} ${how}: ${this.#words(said) || 'it said nothing'}`);
  }

  async #succeed(args: readonly string[], timeoutMs = SHORT_MS, excuse?: RegExp): Promise<Outcome> {
    const outcome = await this.#run(args, timeoutMs);
    if (outcome.code === 0 || excuse?.test(outcome.stderr) === true) return outcome;
    throw this.fault(args[0] ?? '', outcome.stderr.trim() === '' ? outcome.stdout : outcome.stderr, outcome.code);
  }

  #run(args: readonly string[], timeoutMs: number): Promise<Outcome> {
    const command = this.#command(args);
    return this.subprocesses.run(command, timeoutMs).catch((error: unknown) => Promise.reject(this.#cannot(command, error)));
  }

  #command(args: readonly string[]): Command {
    return { program: this.program, args, environment: args[0] === 'clone' ? this.#environment.pull : this.#environment.plain };
  }

  #cannot({ args }: Command, error: unknown): HypervisorError {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = absent ? `there is no program ${this.program}: install tart, or correct PATH` : this.#words(error instanceof Error ? error.message : String(error));
    return new HypervisorError('Failed', `tart ${args[0] ?? ''} failed: ${why}`, { cause: error });
  }

  #words(said: string): string {
    return words(said, this.agentEnvironment);
  }
}
