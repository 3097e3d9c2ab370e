import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubeconfig } from '../../../devplane/kubeconfig';
import { OPERATOR } from '../../../realplane/identities';
import { reservePorts } from '../../../realplane/ports';
import { Kinds } from '../../../sdk/api/kinds';
import type { Kind, KubeObject } from '../../../sdk/api/object';
import { until } from '../../../sdk/client/until';
import { Replica } from '../../operator-process/replica';
import type { FaultWorld } from './fault-world';
import { auditFile, proxyFor } from './operator-under-test';
import type { PlaneProxy } from './plane-proxy';
import type { WorldMac } from './world-mac';

type Secret = KubeObject & { readonly data?: Readonly<Record<string, string>> };
const SECRET: Kind<Secret> = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
const NAMESPACE = 'macrack-system';
const LEADER_LEASE = { namespace: NAMESPACE, name: 'macrack-operator' };

/** `macrack operator` as a process of its own, which speaks to the API server through a proxy. One after the other has its place and its port. */
export class OperatorProcess {
  #replica: Replica | undefined;
  #generation = 0;

  private constructor(private readonly world: FaultWorld<WorldMac>, readonly proxy: PlaneProxy, private readonly name: string, private readonly port: number, private readonly releasePort: () => void) {}

  static async open(world: FaultWorld<WorldMac>, name: string): Promise<OperatorProcess> {
    const ports = await reservePorts(1);
    return new OperatorProcess(world, await proxyFor(world.ground, OPERATOR), name, ports.numbers[0] ?? 0, () => ports.release());
  }

  get replica(): Replica {
    if (this.#replica === undefined) throw new Error(`operator ${this.name} does not run`);
    return this.#replica;
  }

  /** Starts a process, which is ready when this resolves; whether it leads is another matter. */
  async start(): Promise<void> {
    const { ground } = this.world;
    const file = join(ground.directory, `${this.name}.kubeconfig`);
    writeFileSync(file, kubeconfig(this.proxy.url, ground.ca, [{ name: OPERATOR, credential: await ground.identify(OPERATOR) }]), { mode: 0o600 });
    const options = { identity: `${this.name}-${++this.#generation}`, auditFile: auditFile(ground), kubeconfig: file, arguments: ['--webhook-listen', `127.0.0.1:${this.port}`] };
    this.#replica = new Replica(options);
    await this.replica.untilReady(`operator ${this.name} is ready`, ({ ready }) => ready);
  }

  async untilLeads(): Promise<void> {
    await this.replica.untilReady(`operator ${this.name} leads`, ({ leader }) => leader);
  }

  /** The webhooks are its own from now on. */
  async takeWebhooks(): Promise<void> {
    const secret = await until('the CA of the webhooks is made', async () => await this.world.admin.get(SECRET, { namespace: NAMESPACE, name: 'macrack-webhook-ca' }) ?? undefined);
    await this.world.ground.redirectWebhooks(`https://127.0.0.1:${this.port}`, Buffer.from(secret.data?.['ca.crt'] ?? '', 'base64').toString('utf8'));
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#replica?.kill();
    this.#replica = undefined;
  }

  async close(): Promise<void> {
    await this.kill();
    await this.proxy.close();
    this.releasePort();
  }
}

/** Lets the leader lease run out now: whoever asks next leads, as if the fifteen seconds had passed. */
export async function endLeadership(world: FaultWorld<WorldMac>): Promise<void> {
  await world.admin.patch(Kinds.CoordinationLease, LEADER_LEASE, { spec: { holderIdentity: null, leaseDurationSeconds: 1 } });
}
