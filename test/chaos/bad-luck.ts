import type { DurableLines } from '../../agent/journal/lines-file';
import type { FaultWorld } from '../harness/fault-world/fault-world';
import type { MacUnderTest } from '../harness/fault-world/mac-under-test';
import type { OperatorUnderTest } from '../harness/fault-world/operator-under-test';
import type { ServerName } from '../../realplane/servers';
import { pick } from './tenants';

const LONG_MS = 30_000;
const MOST_OPERATORS = 3;

/** What goes wrong, and how it is set right. */
export class BadLuck {
  readonly #fullDisks = new Set<string>();

  constructor(private readonly world: FaultWorld) {}

  mac(which: number): MacUnderTest {
    const mac = pick([...this.world.macs.values()], which);
    if (mac === undefined) throw new Error('there is no Mac');
    return mac;
  }

  /** One of the operators that run; another is started where none does. */
  async operator(which: number): Promise<OperatorUnderTest> {
    return pick(this.world.operators, which) ?? this.world.startOperator();
  }

  async killOperator(which: number): Promise<void> {
    const victim = await this.operator(which);
    await this.world.killOperator(victim);
    if (this.world.operators.length === 0 && which % 3 !== 0) await this.world.startOperator();
  }

  async secondOperator(): Promise<void> {
    if (this.world.operators.length < MOST_OPERATORS) await this.world.startOperator();
  }

  /** Dead for good, or started again at once, with what it was doing. */
  async killAgent(which: number): Promise<void> {
    const mac = this.mac(which);
    await mac.killAgent();
    if (which % 3 !== 0) await this.startAgent(mac);
  }

  async startAgent(mac: MacUnderTest): Promise<void> {
    if (!mac.isUp) await mac.startAgent((lines) => this.#disk(mac.serial, lines));
  }

  fullDisk(which: number): void {
    this.#fullDisks.add(this.mac(which).serial);
  }

  async webhooksDown(): Promise<void> {
    // Nobody listens there.
    await this.world.ground.redirectWebhooks('https://127.0.0.1:1', this.world.ground.ca);
  }

  async killServer(name: ServerName): Promise<void> {
    await this.world.ground.servers?.kill(name);
    await this.world.ground.servers?.start(name);
  }

  crashMachine(which: number): void {
    const { mac } = this.mac(which);
    const machine = pick(mac.running(), which >> 4);
    if (machine !== undefined) mac.end(machine.name);
  }

  cloneIdentity(which: number): void {
    const { mac } = this.mac(which);
    mac.faults.cloneNextFrom = pick(mac.bundles(), which >> 4)?.name.replace('macrack-', '');
  }

  slow(which: number, fault: 'startMs' | 'stopMs'): void {
    this.mac(which).mac.faults[fault] = which % 2 === 0 ? LONG_MS : 150;
  }

  /** One thing that is wrong is set right; `all` of it at the end. */
  async heal(which: number, all = false): Promise<void> {
    for (const mac of all ? this.world.macs.values() : [this.mac(which)]) {
      this.#fullDisks.delete(mac.serial);
      mac.proxy.mend();
      mac.proxy.resume();
      Object.assign(mac.mac.faults, { startMs: 0, stopMs: 0, noIP: false, unavailable: undefined, failNextStart: undefined, cloneNextFrom: undefined });
      await this.startAgent(mac);
    }
    for (const { proxy } of all ? this.world.operators : [await this.operator(which)]) {
      proxy.mend();
      proxy.resume();
      proxy.deliverEvents();
    }
    await this.#webhooks(which);
  }

  async #webhooks(which: number): Promise<void> {
    const { operator } = await this.operator(which);
    await this.world.ground.redirectWebhooks(operator.admissionOrigin, operator.caPem);
  }

  #disk(serial: string, lines: DurableLines): DurableLines {
    return {
      read: () => lines.read(), close: () => lines.close(),
      append: (line) => (this.#fullDisks.has(serial) ? Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })) : lines.append(line)),
    };
  }
}
