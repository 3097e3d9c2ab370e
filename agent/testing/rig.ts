import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Annotation, Kinds, Label, VM_RESOURCE, podName, type MacNode, type MacNodeBinding, type Node, type Pod, type PodStatus } from '../../sdk/api';
import type { ControlPlane, Timers } from '../../sdk/client';
import { simHypervisor, SimMac } from '../drivers/sim';
import type { Hypervisor } from '../driver';
import { linesFile, type DurableLines } from '../journal/lines-file';
import { startAgentOn, type AgentApiOptions, type RunningAgent } from '../start-agent';
import { ManualTimers } from './manual-timers';
import { MemoryPlane } from '../../sdk/client/testing/memory/memory-plane';
import { settle } from './settle';

export const SERIAL = 'c02abc';
export const NODE = `mac-${SERIAL}`;

/** A new directory's path for a journal; removed by the returned function. */
export function temporaryJournal(): { readonly path: string; readonly remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-agent-'));
  return { path: join(directory, 'journal.jsonl'), remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export interface PodOptions { readonly namespace?: string; readonly lease?: string; readonly slot?: number; readonly instance?: string; readonly bindingUID?: string; readonly selects?: string }

/** One Mac with its agent on a plane in memory. The test plays operator and scheduler. */
export class Rig {
  readonly plane = new MemoryPlane();
  readonly timers = new ManualTimers();
  readonly mac: SimMac;
  readonly journal = temporaryJournal();
  agents: RunningAgent[] = [];
  readonly kept = new Set<string>();

  constructor(options: { readonly kernelQuota?: number } = {}) {
    this.mac = new SimMac({ timers: this.timers, ...options });
  }

  /** The machine of an instance ends by itself. */
  crash(instance: string): void {
    this.mac.crash(`uid-${instance}`);
  }

  /** A pod of the lease that is Bound, in the annotation before it exists. */
  async run(claim: MacNodeBinding, slot: number, instance = `vm${slot}`): Promise<Pod> {
    await this.keep(...[...this.kept].filter((kept) => kept !== `uid-${instance}`), `uid-${instance}`);
    return this.pod({ bindingUID: claim.metadata.uid, slot, instance });
  }

  async phase(pod: Pod): Promise<string | undefined> {
    return (await this.podStatus(pod))?.phase;
  }

  isPhase(pod: Pod, phase: string): Promise<void> {
    return this.untilInTime(`pod ${pod.metadata.name} is ${phase}`, async () => (await this.phase(pod)) === phase);
  }

  /** As a tenant's delete ends: the instance's pod is deleted gracefully. */
  deletePod(pod: Pod, gracePeriodSeconds?: number): Promise<void> {
    const { name, namespace = '' } = pod.metadata;
    return this.plane.remove(Kinds.Pod, { namespace, name }, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
  }

  isGone(pod: Pod): Promise<void> {
    return this.untilInTime(`pod ${pod.metadata.name} is gone`, async () => (await this.podStatus(pod)) === undefined);
  }

  async events(): Promise<string[]> {
    return (await this.macStatus()).journal?.map(({ event, instanceUID, reason }) => [event, instanceUID, reason].filter(Boolean).join(' ')) ?? [];
  }

  async enrol(hardwareUUID = this.mac.hardwareUUID): Promise<MacNode> {
    return this.plane.create(Kinds.MacNode, { metadata: { name: SERIAL }, spec: { class: 'base', serial: SERIAL, hardwareUUID } });
  }

  start(over: { plane?: ControlPlane; hypervisor?: Hypervisor; lines?: DurableLines; timers?: Timers; api?: AgentApiOptions } = {}): RunningAgent {
    const agent = startAgentOn(over.lines ?? linesFile(this.journal.path), {
      plane: over.plane ?? this.plane, serial: SERIAL.toUpperCase(), hypervisor: over.hypervisor ?? simHypervisor(this.mac), timers: over.timers ?? this.timers, log: pino({ level: process.env.AGENT_LOG ?? 'silent' }, pino.destination(2)),
      ...(over.api === undefined ? {} : { api: over.api }),
    }, `${this.journal.path}.audit-heads`);
    this.agents.push(agent);
    return agent;
  }

  async stopAgents(): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.stop()));
    this.agents = [];
  }

  async end(): Promise<void> {
    await this.stopAgents();
    this.journal.remove();
  }

  claim(tenant: string, lease = 'ci'): Promise<MacNodeBinding> {
    return this.plane.create(Kinds.MacNodeBinding, {
      metadata: { name: SERIAL, finalizers: ['macrack.io/claim'] },
      spec: { leaseNamespace: tenant, leaseName: lease, leaseUID: `lease-${lease}`, namespaceUID: `ns-${tenant}`, tenant, minimumDuration: '24h' },
    });
  }

  /** As the operator ends a claim: deletes it, then lets go of it. */
  async unclaim(): Promise<void> {
    await this.plane.remove(Kinds.MacNodeBinding, { name: SERIAL });
    await this.plane.patch(Kinds.MacNodeBinding, { name: SERIAL }, { metadata: { finalizers: null } });
  }

  /** What the operator writes on the Node before it makes a pod. */
  async keep(...instances: string[]): Promise<void> {
    this.kept.clear();
    for (const instance of instances) this.kept.add(instance);
    await this.plane.patch(Kinds.Node, { name: NODE }, { metadata: { annotations: { [Annotation.KeepDisks]: [...this.kept].join(',') } } });
  }

  pod({ namespace = 'tenant-a', lease = 'ci', slot = 0, instance = `vm${slot}`, bindingUID = '', selects = SERIAL }: PodOptions): Promise<Pod> {
    return this.plane.create(Kinds.Pod, {
      metadata: {
        name: podName(lease, slot), namespace, labels: { [Label.Instance]: instance, [Label.Lease]: lease },
        annotations: { [Annotation.InstanceUID]: instance === '' ? '' : `uid-${instance}`, [Annotation.LeaseUID]: `lease-${lease}`, [Annotation.BindingUID]: bindingUID, [Annotation.Shape]: JSON.stringify({ cpu: 4, memory: '8Gi', disk: '60Gi' }) },
      },
      spec: { nodeName: NODE, nodeSelector: { [Label.NodeSerial]: selects }, terminationGracePeriodSeconds: 120, containers: [{ name: 'vm', image: 'ghcr.io/example/macos:15', resources: { limits: { [VM_RESOURCE]: '1' }, requests: { [VM_RESOURCE]: '1' } } }] },
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True' }] },
    });
  }

  podStatus(pod: Pod): Promise<PodStatus | undefined> {
    return this.plane.tryGet(Kinds.Pod, { namespace: pod.metadata.namespace ?? '', name: pod.metadata.name }).then((found) => (found?.metadata.uid === pod.metadata.uid ? found.status : undefined));
  }

  async macStatus(): Promise<NonNullable<MacNode['status']>> {
    return (await this.plane.get(Kinds.MacNode, { name: SERIAL })).status ?? {};
  }

  node(): Promise<Node | null> {
    return this.plane.tryGet(Kinds.Node, { name: NODE });
  }

  /** Ready, leased to tenant-a, with the annotation in place. */
  async leased(): Promise<MacNodeBinding> {
    await this.enrol();
    await this.start().ready;
    await this.keep();
    return this.claim('tenant-a');
  }

  /** Waits for a fact by turning the event loop; the timers stand still. */
  until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
    return settle(what, holds, () => undefined);
  }

  /** As `until`, while time passes. */
  untilInTime(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
    return settle(what, holds, () => this.pass(500));
  }

  /** Timers and the server's clock go on together. */
  pass(milliseconds: number): void {
    this.plane.advance(milliseconds);
    this.timers.advance(milliseconds);
  }
}
