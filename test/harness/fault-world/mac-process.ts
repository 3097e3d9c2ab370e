import { join } from 'node:path';
import { durableFiles } from '../../../agent/identity/durable-files';
import { nodeKubeconfig } from '../../../agent/identity/node-kubeconfig';
import { Kinds } from '../../../sdk/api/kinds';
import { nodeName } from '../../../sdk/api/names';
import { until } from '../../../sdk/client/until';
import { INSTANCES_PER_CHASSIS } from '../../../sdk/rules/limits';
import { MacHost, type AgentProcess, type Started } from '../../agent-process/mac-host';
import type { MacHistory } from '../invariants/mac-history';
import { MacRecorder } from '../invariants/mac-recorder';
import { connectAs, type Ground } from './ground';
import { proxyFor } from './operator-under-test';
import type { PlaneProxy } from './plane-proxy';
import type { WorldMac } from './world-mac';

const LOOPBACK = '127.0.0.1';
// More than the licence has: what holds is the agent's own count, not this kernel's.
const PERMISSIVE_KERNEL = 8;

/**
 * A Mac whose agent is `macrack agent --driver sim`, a process of its own, which speaks to the API server through a proxy. One process after the other has
 * its state directory, with the journal and the simulated Mac.
 */
export class MacProcess implements WorldMac {
  readonly user: string;
  readonly #host: MacHost;
  readonly #recorder: MacRecorder;
  readonly #killWithUs = (): void => this.strike();

  private constructor(readonly serial: string, private readonly ground: Ground, readonly proxy: PlaneProxy, history: MacHistory, permissive: boolean) {
    this.user = `system:node:${nodeName(serial)}`;
    this.#host = new MacHost(ground.directory, serial);
    this.#recorder = new MacRecorder(serial, join(this.#host.state, 'sim.sqlite'));
    history.read(this.#recorder);
    // It says what the licence allows, and counts too few.
    if (permissive) this.mac.set({ leaked: INSTANCES_PER_CHASSIS - PERMISSIVE_KERNEL });
    process.once('exit', this.#killWithUs);
  }

  /** Enrols a Mac, gives its agent the certificates that an earlier start would have left, and starts it. */
  static async enrol(ground: Ground, serial: string, history: MacHistory, permissive: boolean): Promise<MacProcess> {
    const proxy = await proxyFor(ground, `system:node:${nodeName(serial)}`);
    const it = new MacProcess(serial, ground, proxy, history, permissive);
    await ground.load([{ apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: serial }, spec: { class: 'base', serial, hardwareUUID: it.mac.hardwareUUID } }]);
    await it.#certify();
    await it.startAgent();
    return it;
  }

  /** As any process that opens the file sees it. */
  get mac(): MacHost['sim'] {
    return this.#host.sim;
  }

  get agent(): AgentProcess {
    if (this.#host.agent === undefined) throw new Error(`no agent runs on Mac ${this.serial}`);
    return this.#host.agent;
  }

  startAgent(started: Started = {}): Promise<AgentProcess> {
    this.proxy.mend();
    return Promise.resolve(this.#host.start({ bootstrap: '', ...started }));
  }

  /** Resolves when the Mac's own report says so. */
  async ready(): Promise<void> {
    const plane = await connectAs(this.ground, this.user);
    try {
      await until(`Mac ${this.serial} is Ready`, async () => {
        const { status } = await plane.get(Kinds.MacNode, { name: this.serial });
        return status?.conditions?.some(({ type, reason }) => type === 'Ready' && reason === 'AgentReady') || undefined;
      });
    } finally {
      plane.close();
    }
  }

  /** SIGKILL, at once. */
  strike(): void {
    void this.#host.agent?.end('SIGKILL');
  }

  /** SIGKILL; what the process has sent by then arrives all the same. @throws Error when it had ended in another way */
  async killAgent(): Promise<void> {
    const { agent } = this.#host;
    this.#host.agent = undefined;
    const how = await agent?.end('SIGKILL') ?? 'SIGKILL';
    if (how !== 'SIGKILL') throw new Error(`the agent of Mac ${this.serial} ended by itself (${how}): ${agent?.text}`);
  }

  async end(): Promise<void> {
    process.removeListener('exit', this.#killWithUs);
    await this.#host.close();
    this.#recorder.close();
    await this.proxy.close();
  }

  async #certify(): Promise<void> {
    const { state } = this.#host;
    const pairs = { client: await this.ground.identify(this.user), serving: await this.ground.serve({ dns: [nodeName(this.serial)], ips: [LOOPBACK] }) };
    for (const [purpose, { certificate, key }] of Object.entries(pairs)) await durableFiles.write(join(state, purpose, 'current.pem'), `${certificate.trimEnd()}\n${key}`);
    await durableFiles.write(join(state, 'kubeconfig'), nodeKubeconfig({ server: this.proxy.url, ca: this.ground.ca }, this.user, join(state, 'client', 'current.pem')));
  }
}
