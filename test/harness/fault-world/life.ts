import { Kinds, type MacNodeLease, type MacOSInstance } from '../../../sdk/api/kinds';
import { until } from '../../../sdk/client/until';
import type { FaultWorld } from './fault-world';
import type { WorldMac } from './world-mac';

const SHAPE = { cpu: 2, memory: '4Gi', disk: '40Gi' };

/** One lease and its instance on one Mac, with the Mac's serial in all their names: whoever reads a request knows whose it is. */
export class Life {
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly instance: { readonly namespace: string; readonly name: string };

  constructor(private readonly world: FaultWorld<WorldMac>, readonly serial: string, namespace: string, name: string) {
    this.lease = { namespace, name: `${name}-${serial}` };
    this.instance = { namespace, name: `vm-${name}-${serial}` };
  }

  async bind(): Promise<void> {
    await this.world.admin.create(Kinds.MacNodeLease, { metadata: this.lease, spec: { class: 'base', serial: this.serial } });
    await this.untilLease('Bound');
  }

  async start(): Promise<void> {
    await this.world.admin.create(Kinds.MacOSInstance, { metadata: this.instance, spec: { leaseName: this.lease.name, image: 'ghcr.io/acme/macos:15', shape: SHAPE } });
    await this.untilInstance('Running');
  }

  async stop(): Promise<void> {
    await this.world.admin.patch(Kinds.MacOSInstance, this.instance, { spec: { running: false } });
    await this.untilInstance('Stopped');
  }

  async deleteInstance(): Promise<void> {
    await this.world.admin.remove(Kinds.MacOSInstance, this.instance);
    await until(`instance ${this.instance.name} is gone`, () => Promise.resolve(this.world.seen.instance(this.instance) === undefined ? true : undefined));
  }

  /** Gives the lease back: Held, unless its floor has passed. */
  async hold(): Promise<void> {
    const { metadata } = await this.#release(true);
    this.world.asked.add(metadata.uid);
    await this.untilLease('Held', 'Releasing', 'Released');
  }

  async keep(): Promise<void> {
    const { metadata } = await this.#release(false);
    await this.untilLease('Bound');
    this.world.asked.delete(metadata.uid);
  }

  /** From Held. */
  async pastFloor(): Promise<void> {
    await this.world.ground.passFloor([{ serial: this.serial, lease: this.lease }]);
    await until(`lease ${this.lease.name} is Released`, () => {
      const found = this.world.seen.lease(this.lease);
      const isOver = found?.status?.phase === 'Released' && (found.metadata.finalizers ?? []).length === 0;
      return Promise.resolve(found === undefined || isOver ? true : undefined);
    });
  }

  /** Bound, run, stopped, held, kept, without its instance, held again, and past its floor. */
  async live(): Promise<void> {
    await this.bind();
    await this.start();
    await this.stop();
    await this.hold();
    await this.keep();
    await this.deleteInstance();
    await this.hold();
    await this.pastFloor();
  }

  untilLease(...phases: readonly string[]): Promise<MacNodeLease> {
    return until(`lease ${this.lease.name} is ${phases.join(' or ')}`, () => {
      const found = this.world.seen.lease(this.lease);
      return Promise.resolve(phases.includes(found?.status?.phase ?? 'none') ? found : undefined);
    });
  }

  untilInstance(phase: string): Promise<MacOSInstance> {
    return until(`instance ${this.instance.name} is ${phase}`, () => {
      const found = this.world.seen.instance(this.instance);
      return Promise.resolve(found?.status?.phase === phase ? found : undefined);
    });
  }

  #release(release: boolean): Promise<MacNodeLease> {
    return this.world.admin.patch(Kinds.MacNodeLease, this.lease, { spec: { release } });
  }
}
