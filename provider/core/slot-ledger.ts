import type { Sizes } from '../../sdk/rules/judge-shape';
import type { Maybe } from '../../sdk/rules/unknown';

/** What this run does with an object. A replaced one is deleted, then created. */
export type Fate = 'create' | 'keep' | 'delete';

/** An instance as this run declares it. */
export interface DeclaredInstance {
  readonly fate: Fate;
  readonly shape: Maybe<Sizes>;
  /** A Failed instance holds no slot. */
  readonly failed: boolean;
}

/** What this run does with the instances of one lease, by id. */
export class SlotLedger {
  private readonly instances = new Map<string, DeclaredInstance>();
  private readonly held = new Set<string>();
  private readonly onRelease = new Set<() => void>();

  /** Creates that wait for the fate of others. Whoever makes them certain leaves the refusal to them. */
  waiting = 0;

  /** A create outweighs a keep of the same name: a replacement is first planned as an update. */
  declare(id: string, instance: DeclaredInstance): void {
    const before = this.instances.get(id);
    if (before?.fate === 'create' && instance.fate !== 'create') return;
    this.instances.set(id, instance);
  }

  fateOf(id: string): DeclaredInstance | undefined {
    return this.instances.get(id);
  }

  /** Those that stay or come, without the Failed ones. */
  get staying(): ReadonlyMap<string, DeclaredInstance> {
    return new Map([...this.instances].filter(([, { fate, failed }]) => fate !== 'delete' && !(fate === 'keep' && failed)));
  }

  get creates(): readonly string[] {
    return [...this.instances].filter(([, { fate }]) => fate === 'create').map(([id]) => id);
  }

  /** Slots that creates of this process have taken, whether the server shows it already or not. */
  get reserved(): ReadonlySet<string> {
    return this.held;
  }

  /** Keeps a slot until the returned function is called. */
  reserve(id: string): () => void {
    this.held.add(id);
    return () => {
      if (this.held.delete(id)) for (const look of [...this.onRelease]) look();
    };
  }

  /** Calls back whenever a reserved slot is given up. */
  readonly whenReleased = (look: () => void): (() => void) => {
    this.onRelease.add(look);
    return () => this.onRelease.delete(look);
  };
}
