import type { MacNode } from '../../sdk/api/kinds';
import { Kinds } from '../../sdk/api/kinds';
import type { Node } from '../../sdk/api/core-objects';
import { isFault } from '../../sdk/client/errors';
import { formatTime } from '../clock';
import type { Context } from '../context';
import type { Closed } from '../gate';
import { readyCondition, setCondition } from './conditions';
import { renewLease } from './coordination-lease';
import { refuseEnrolment, type Hardware } from './enrolment';
import { macStatusPatch, readMac } from './mac-status';
import { patchNodeStatus } from './node-status';
import { Pin } from './pin';
import { ensureNode } from './register';

/**
 * Tells the API server what is on the Mac. One report at a time: an older reading must not overwrite a newer one.
 * A beat also renews the Lease and the Node's status; a mere change writes the MacNode's.
 */
export class Reporter {
  #macNode: MacNode | undefined;
  #node: Node | undefined;
  #hardware: Hardware | undefined;
  #published = '';
  readonly #pin = new Pin();

  constructor(private readonly ctx: Context) {}

  /** Resolves to the reason why no machine is started, as it was reported; undefined when there is none. */
  async report(isBeat: boolean): Promise<Closed | undefined> {
    const { ctx } = this;
    const macNode = await this.#enrol();
    const { closed } = ctx.gate;
    if (macNode !== undefined && !ctx.gate.isThisMac) await this.#reportRefusal(macNode);
    else if (macNode !== undefined) await this.#reportAll(macNode, isBeat);
    return closed;
  }

  async #reportAll(macNode: MacNode, isBeat: boolean): Promise<void> {
    const { ctx } = this;
    // A Mac whose kernel allows too many is not registered; where it was before, its Node says so.
    this.#node ??= ctx.gate.closed?.reason === 'KernelQuota' ? await ctx.plane.tryGet(Kinds.Node, { name: ctx.node }) ?? undefined : await ensureNode(ctx);
    if (this.#node !== undefined && (isBeat || this.#published !== readiness(ctx))) await this.#beat(this.#node);
    await this.#reportMac(macNode);
  }

  async #enrol(): Promise<MacNode | undefined> {
    const { plane, serial, gate, log } = this.ctx;
    const macNode = this.#macNode ?? await plane.tryGet(Kinds.MacNode, { name: serial });
    this.#macNode = macNode ?? undefined;
    const refusal = await this.#readHardware().then((hardware) => refuseEnrolment(serial, macNode, hardware), hypervisorIsSilent);
    gate.setEnrolment(refusal);
    if (refusal !== undefined) log.error({ reason: refusal.reason }, refusal.message);
    return macNode ?? undefined;
  }

  // Neither changes while the Mac is up, and an agent does not outlive that.
  async #readHardware(): Promise<Hardware> {
    const { hypervisor } = this.ctx;
    return this.#hardware ??= { hardwareUUID: await hypervisor.hardwareUUID(), kernelQuota: await hypervisor.probeLimit() };
  }

  async #beat(node: Node): Promise<void> {
    const said = readiness(this.ctx);
    try {
      await renewLease(this.ctx, node);
      this.#node = await patchNodeStatus(this.ctx, node);
      this.#published = said;
    } catch (error) {
      // Somebody deleted the Node: it is registered again, as unleased, by the next report.
      if (isFault(error, 'NotFound')) this.#node = undefined;
      throw error;
    }
  }

  async #reportMac(macNode: MacNode): Promise<void> {
    const facts = await readMac(this.ctx).catch((error: unknown) => {
      this.ctx.log.error({ err: error }, 'the Mac could not be read: its last facts stand and grow old');
      return undefined;
    });
    if (facts === undefined) return this.#reportRefusal(macNode);
    const patch = await macStatusPatch(this.ctx, macNode.status ?? {}, facts, this.#pin);
    const seen = this.ctx.plane.lastServerTime();
    await this.#patch({ ...patch, ...(seen === undefined ? {} : { lastSeen: formatTime(seen) }) });
  }

  /** Conditions only: what this agent cannot vouch for stays as it was, `lastSeen` included. */
  #reportRefusal(macNode: MacNode): Promise<void> {
    const { gate, clock } = this.ctx;
    return this.#patch({ conditions: setCondition(macNode.status?.conditions ?? [], readyCondition(gate.closed), clock.now()) });
  }

  async #patch(status: object): Promise<void> {
    try {
      this.#macNode = await this.ctx.plane.patch(Kinds.MacNode, { name: this.ctx.serial }, { status }, { subresource: 'status' });
    } catch (error) {
      this.#macNode = undefined;
      throw error;
    }
  }
}

const hypervisorIsSilent = (error: unknown): Closed => ({ reason: 'HypervisorUnavailable', message: error instanceof Error ? error.message : String(error) });
const readiness = ({ gate }: Context): string => JSON.stringify(readyCondition(gate.closed));
