/** A lease that a tenant declares. */
export interface DeclaredLease {
  readonly kind: 'lease';
  readonly name: string;
  readonly serial?: string;
  readonly onEarlyRelease?: 'hold';
}

/** An instance that a tenant declares: on a lease of the same program by its name, or on another one by "namespace/name". */
export interface DeclaredInstance {
  readonly kind: 'instance';
  readonly name: string;
  readonly lease: string;
  readonly namespace?: string;
}

/** What a tenant declares, whichever tool reads it. */
export type Declared = DeclaredLease | DeclaredInstance;

export function lease(name: string, settings: Pick<DeclaredLease, 'serial' | 'onEarlyRelease'> = {}): Declared {
  return { kind: 'lease', name, ...settings };
}

export function instance(name: string, on: string, settings: Pick<DeclaredInstance, 'namespace'> = {}): Declared {
  return { kind: 'instance', name, lease: on, ...settings };
}

/** True for a lease that is named by its id, as one that another program has made. */
export const isForeign = ({ lease: on }: DeclaredInstance): boolean => on.includes('/');
