import { Kinds, type MacClass, type MacNodeLease, type MacOSInstance } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { PlaneError } from '../../sdk/client/errors';
import type { Instant } from '../../sdk/rules/instant';
import { UNKNOWN, type Maybe } from '../../sdk/rules/unknown';
import type { Named } from './object-id';

/** Why something was not seen. `unconfigured`: the address of the control plane is not known yet. */
export type Unseen = { readonly seen: false; readonly error: PlaneError | 'unconfigured' };

/** An answer of the control plane, or why there is none. */
export type Look<T> = { readonly seen: true; readonly value: T } | Unseen;

/**
 * What the control plane says, asked once per namespace and kind however many resources want to know, and again after a write of
 * this process. Concurrent calls share one request.
 */
export class Facts {
  private readonly looks = new Map<string, Promise<Look<unknown>>>();
  private silent: Unseen | undefined;

  constructor(private readonly plane: ControlPlane | null) {}

  leases(namespace: string): Promise<Look<readonly MacNodeLease[]>> {
    return this.once(`leases ${namespace}`, async (plane) => (await plane.list(Kinds.MacNodeLease, { namespace })).items);
  }

  instances(namespace: string): Promise<Look<readonly MacOSInstance[]>> {
    return this.once(`instances ${namespace}`, async (plane) => (await plane.list(Kinds.MacOSInstance, { namespace })).items);
  }

  classes(): Promise<Look<readonly MacClass[]>> {
    return this.once('classes', async (plane) => (await plane.list(Kinds.MacClass)).items);
  }

  async lease({ namespace, name }: Named): Promise<Look<MacNodeLease | null>> {
    const look = await this.leases(namespace);
    return look.seen ? { seen: true, value: look.value.find((l) => l.metadata.name === name) ?? null } : look;
  }

  async instance({ namespace, name }: Named): Promise<Look<MacOSInstance | null>> {
    const look = await this.instances(namespace);
    return look.seen ? { seen: true, value: look.value.find((i) => i.metadata.name === name) ?? null } : look;
  }

  /** The server's time as of the newest answer: an older one only makes a floor look longer. */
  async now(): Promise<Maybe<Instant>> {
    const last = this.plane?.lastServerTime();
    if (last !== undefined) return last;
    const look = await this.once('time', (plane) => plane.serverTime());
    return look.seen ? look.value : UNKNOWN;
  }

  /** Forgets what was seen of a namespace: this process has changed it. */
  forget(namespace: string): void {
    this.silent = undefined;
    for (const key of [`leases ${namespace}`, `instances ${namespace}`, 'classes']) this.looks.delete(key);
  }

  private once<T>(key: string, ask: (plane: ControlPlane) => Promise<T>): Promise<Look<T>> {
    const known = this.looks.get(key) as Promise<Look<T>> | undefined;
    if (known !== undefined) return known;
    const look = this.ask(ask);
    this.looks.set(key, look);
    return look;
  }

  /** Asks without remembering the answer. A control plane that did not answer once is not waited for again in this run. */
  async ask<T>(ask: (plane: ControlPlane) => Promise<T>): Promise<Look<T>> {
    if (this.silent !== undefined) return this.silent;
    const look = await lookOf(this.plane, ask);
    if (!look.seen && look.error !== 'unconfigured' && ['Unreachable', 'Timeout'].includes(look.error.fault)) this.silent = look;
    return look;
  }
}

/** Asks, and keeps an answer of the control plane that is not a success. Anything else is a bug and is thrown. */
export async function lookOf<T>(plane: ControlPlane | null, ask: (plane: ControlPlane) => Promise<T>): Promise<Look<T>> {
  if (plane === null) return { seen: false, error: 'unconfigured' };
  try {
    return { seen: true, value: await ask(plane) };
  } catch (error) {
    if (error instanceof PlaneError) return { seen: false, error };
    throw error;
  }
}
