import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { stringify } from 'yaml';
import type { ControlPlane, Timers } from '../../sdk/client';
import { durableFiles, type DurableFiles } from '../identity/durable-files';
import { Identity } from '../identity/identity';
import type { Pair } from '../identity/pair-store';
import { createTestAuthority, type TestAuthority } from './authority';
import { Issuer } from './issuer';
import { ManualTimers } from './manual-timers';
import { MemoryPlane } from '../../sdk/client/testing/memory/memory-plane';
import { settle } from './settle';

export const IDENTITY_SERIAL = 'c02abc';

export interface Life {
  readonly identity: Identity;
  readonly clientReady: Promise<void>;
  /** Serving certificates, in the order in which they came into use. */
  readonly served: Pair[];
  /** As the end of the process; nothing is waited for. */
  end(): void;
}

export interface Deps { readonly files?: DurableFiles; readonly plane?: ControlPlane; readonly signal?: AbortSignal; readonly bootstrap?: string }

/** One agent's identity on a plane in memory, with an issuer. The clock is moved by the test. */
export class IdentityRig {
  readonly directory = mkdtempSync(join(tmpdir(), 'macrack-identity-'));
  readonly bootstrapKubeconfig = join(this.directory, 'bootstrap.kubeconfig');
  readonly state = join(this.directory, 'state');
  readonly timers = new ManualTimers();
  readonly lines: { level: number; msg: string }[] = [];
  /** Kubeconfigs that somebody connected with, by their last part. */
  readonly connected: string[] = [];
  time = Date.now();
  readonly #lives = new Set<AbortController>();

  private constructor(readonly plane: MemoryPlane, readonly issuer: Issuer, authority: TestAuthority) {
    writeFileSync(this.bootstrapKubeconfig, stringify({
      kind: 'Config', 'current-context': 'c', contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }], users: [{ name: 'u', user: { token: 'abc.def' } }],
      clusters: [{ name: 'k', cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': Buffer.from(authority.ca).toString('base64') } }],
    }));
  }

  static async open(): Promise<IdentityRig> {
    const authority = await createTestAuthority();
    const plane = new MemoryPlane();
    return new IdentityRig(plane, new Issuer(plane, authority), authority);
  }

  async live({ files = durableFiles, plane = this.plane, signal, bootstrap = this.bootstrapKubeconfig }: Deps = {}): Promise<Life> {
    const ending = new AbortController();
    this.#lives.add(ending);
    const timers: Timers = { after: (ms, work) => this.timers.after(ms, () => { if (!ending.signal.aborted) work(); }) };
    const identity = await Identity.open({
      serial: IDENTITY_SERIAL, hardwareUUID: 'HW', stateDirectory: this.state, files, timers, now: () => this.time,
      ...(bootstrap === '' ? {} : { bootstrapKubeconfig: bootstrap }),
      signal: signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]),
      connect: (path) => {
        this.connected.push(path.split('/').at(-1) ?? '');
        return Promise.resolve(shared(plane));
      },
      log: pino({ level: 'debug' }, { write: (line) => void this.lines.push(JSON.parse(line) as { level: number; msg: string }) }),
    });
    const served: Pair[] = [];
    const clientReady = identity.keepClient();
    void clientReady.then(() => identity.keepServing('127.0.0.1', (pair) => { served.push(pair); return Promise.resolve(); }));
    return { identity, served, clientReady, end: () => ending.abort() };
  }

  /** Time passes. */
  pass(milliseconds: number): void {
    this.time += milliseconds;
    this.issuer.aheadMs += milliseconds;
    this.timers.advance(milliseconds);
  }

  until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    return settle(what, holds, () => this.timers.advance(500), Infinity);
  }

  /** Files of the state directory that others than its owner may touch. */
  exposed(): string[] {
    return readdirSync(this.state, { recursive: true, encoding: 'utf8' }).filter((name) => (statSync(join(this.state, name)).mode & 0o077) !== 0);
  }

  close(): void {
    for (const life of this.#lives) life.abort();
    this.issuer.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

}

// Every connection of the rig is the one plane, which none of them closes.
function shared(plane: ControlPlane): ControlPlane {
  return new Proxy(plane, { get: (target, key) => {
    const value: unknown = key === 'close' ? () => undefined : Reflect.get(target, key);
    return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
  } });
}
