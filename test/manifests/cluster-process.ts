import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RealPlane } from '../../realplane/real-plane';
import { until } from '../../sdk/client/until';
import { admin } from './printed';

const main = resolve(__dirname, '..', '..', 'dist', 'cli', 'main.js');

/** A part of MacRack as a process of its own, in place of the kubelet's or launchd's. */
export class ClusterProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #text = '';

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => { this.#text += text; });
    const killWithUs = (): void => void this.#child.kill('SIGKILL');
    process.once('exit', killWithUs);
    this.#ended = new Promise((done) => this.#child.on('close', () => {
      process.removeListener('exit', killWithUs);
      done();
    }));
  }

  /** Waits for words in its log. */
  async says(words: string): Promise<void> {
    await until(`it says ${JSON.stringify(words)}`, () => {
      if (this.#child.exitCode !== null) throw new Error(`it ended with ${this.#child.exitCode}: ${this.#text}`);
      return Promise.resolve(this.#text.includes(words) || undefined);
    });
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#ended;
  }
}

interface Volume { name: string; secret?: { secretName: string } }
interface PodSpec { containers: [{ args: string[]; volumeMounts: { name: string; mountPath: string }[] }]; volumes: Volume[] }

async function json<T>(plane: RealPlane, ...args: readonly string[]): Promise<T> {
  return JSON.parse(await admin(plane, ['-n', 'macrack-system', 'get', ...args, '-o', 'json'])) as T;
}

/** Mounts the volumes of the operator's pod below a directory; the record stays from one pod to the next. */
async function mount(plane: RealPlane, { containers: [{ volumeMounts }], volumes }: PodSpec, directory: string): Promise<Map<string, string>> {
  const mounts = new Map<string, string>();
  for (const { name, mountPath } of volumeMounts) {
    const place = join(directory, name);
    mkdirSync(place, { recursive: true });
    mounts.set(mountPath, place);
    const secretName = volumes.find((volume) => volume.name === name)?.secret?.secretName;
    if (secretName === undefined) continue;
    const { data } = await json<{ data: Record<string, string> }>(plane, 'secret', secretName);
    for (const [key, text] of Object.entries(data)) writeFileSync(join(place, key), Buffer.from(text, 'base64'), { mode: 0o600 });
  }
  return mounts;
}

/** Starts the operator as its Deployment says, with what a kubelet makes of that: volumes, the variable of the Service, and its own ports. */
export async function startOperatorAsDeployed(plane: RealPlane, directory: string, ports: { readonly webhooks: number; readonly metrics: number }): Promise<ClusterProcess> {
  const { spec: { template: { spec: pod } } } = await json<{ spec: { template: { spec: PodSpec } } }>(plane, 'deployment', 'macrack-operator');
  const { spec: { clusterIP } } = await json<{ spec: { clusterIP: string } }>(plane, 'service', 'macrack-operator');
  const mounts = await mount(plane, pod, directory);
  const args = pod.containers[0].args.map((arg) => {
    const placed = [...mounts].reduce((text, [mountPath, place]) => text.replace(`=${mountPath}`, `=${place}`), arg);
    return placed.replace('$(MACRACK_OPERATOR_SERVICE_HOST)', clusterIP).replace('0.0.0.0:9443', `127.0.0.1:${ports.webhooks}`).replace('0.0.0.0:9090', `127.0.0.1:${ports.metrics}`);
  });
  const operator = new ClusterProcess(args);
  await operator.says('the webhooks listen');
  return operator;
}
