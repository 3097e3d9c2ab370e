import { join } from 'node:path';
import type { Logger } from 'pino';
import { type RunningAgent, SimMac, simHypervisor } from '../../../agent';
import { linesFile, type DurableLines } from '../../../agent/journal/lines-file';
import { startAgentOn } from '../../../agent/start-agent';
import { nodeName } from '../../../sdk/api/names';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import type { MacHistory } from '../invariants/mac-history';
import { connectAs, type Ground } from './ground';
import { proxyFor } from './operator-under-test';
import type { PlaneProxy } from './plane-proxy';
import type { WorldMac } from './world-mac';

const LOOPBACK = '127.0.0.1';
// More than the licence has: what holds is the agent's own count, not this kernel's.
const PERMISSIVE_KERNEL = 8;

/** A Mac whose agent can be killed, cut off and started again. Its machines go on meanwhile. */
export class MacUnderTest implements WorldMac {
  readonly user: string;
  readonly mac: SimMac;
  #agent: RunningAgent | undefined;
  #client: ControlPlane | undefined;

  private constructor(readonly serial: string, private readonly ground: Ground, readonly proxy: PlaneProxy, private readonly history: MacHistory, private readonly log: Logger, kernelQuota: number) {
    this.user = `system:node:${nodeName(serial)}`;
    this.mac = new SimMac({ timers: ground.timers, kernelQuota });
    history.watch(serial, this.mac);
  }

  /** Enrols a Mac and starts its agent. @param permissive has a kernel that would run any number of machines */
  static async enrol(ground: Ground, serial: string, history: MacHistory, log: Logger, permissive = true): Promise<MacUnderTest> {
    const user = `system:node:${nodeName(serial)}`;
    const it = new MacUnderTest(serial, ground, await proxyFor(ground, user), history, log, permissive ? PERMISSIVE_KERNEL : 2);
    await ground.load([{ apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: serial }, spec: { class: 'base', serial, hardwareUUID: it.mac.hardwareUUID } }]);
    await it.startAgent();
    return it;
  }

  get isUp(): boolean {
    return this.#agent !== undefined;
  }

  get journalFile(): string {
    return join(this.ground.directory, `${nodeName(this.serial)}.journal`);
  }

  /** @param between stands between the agent and its journal */
  async startAgent(between: (lines: DurableLines) => DurableLines = (lines) => lines): Promise<RunningAgent> {
    const { ground, serial, user, proxy } = this;
    proxy.mend();
    const client = await connectAs(ground, user, proxy.url);
    const api = { host: LOOPBACK, port: 0, clientCa: ground.ca, ...await ground.serve({ dns: [nodeName(serial)], ips: [LOOPBACK] }) };
    // The quota that the licence allows is what the kernel says, whatever it does.
    const hypervisor = this.history.witness(serial, { ...simHypervisor(this.mac), probeLimit: () => Promise.resolve(2) }, this.mac);
    const { journalFile } = this;
    const options = { plane: client, serial, hypervisor, api, timers: ground.timers, log: this.log };
    this.#agent = startAgentOn(between(linesFile(journalFile)), options, `${journalFile}.audit-heads`);
    this.#client = client;
    return this.#agent;
  }

  /** Resolves when the agent that runs may start machines. */
  async ready(): Promise<void> {
    await this.#agent?.ready;
  }

  /** As by kill -9, as far as the plane can tell; its journal is closed by then. */
  async killAgent(): Promise<void> {
    this.proxy.cut();
    this.#client?.close();
    const agent = this.#agent;
    this.#agent = undefined;
    await agent?.stop();
  }

  async end(): Promise<void> {
    await this.killAgent();
    await this.proxy.close();
  }
}
