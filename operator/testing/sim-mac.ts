import { Annotation, Condition, Kinds, Label, nodeName, Taint, VM_RESOURCE, type JournalEntry, type MacNodeStatus, type Pod, type ReportedDisk, type ReportedVm } from '../../sdk/api';
import { formatInstant } from '../../sdk/rules/instant';
import type { AgentState } from '../../sdk/client/agent-reader';
import { HEARTBEAT_MS } from '../../sdk/api/timing';
import type { MemoryPlane } from '../../sdk/client/testing/memory/memory-plane';

/**
 * A Mac with its scheduler and agent, for the unit tests of the operator: it binds the pods that ask for it, runs them at once, keeps the disks
 * that the node's annotation names, and reports. The real agent has its own tests.
 */
export class SimMac {
  readonly node: string;
  /** False makes it silent. */
  alive = true;
  /** False keeps machines from getting an address. */
  addresses = true;
  /** Identity of the next machines, by instance UID; each its own by default. */
  identity: (instanceUID: string) => { machineID: string; mac: string } = (uid) => ({ machineID: `id-${uid}`, mac: `02:${uid.slice(0, 2)}:${uid.slice(2, 4)}:${uid.slice(4, 6)}:00:01` });
  /** What it says when it is asked live; null for no answer. The truth by default. */
  answer: (truth: AgentState) => AgentState | null = (truth) => truth;
  #vms: ReportedVm[] = [];
  #disks: ReportedDisk[] = [];
  readonly #journal: JournalEntry[] = [];
  #busy: Promise<void> = Promise.resolve();

  constructor(private readonly plane: MemoryPlane, readonly serial: string, private readonly className = 'base') {
    this.node = nodeName(serial);
  }

  /** Enrols the Mac, registers its node and starts the heartbeat. */
  async start(): Promise<this> {
    const { plane, serial, node } = this;
    await plane.create(Kinds.MacNode, { metadata: { name: serial }, spec: { class: this.className, serial, hardwareUUID: `hw-${serial}` } });
    await plane.create(Kinds.Node, {
      metadata: { name: node, labels: { [Label.Serial]: serial, 'kubernetes.io/os': 'darwin' } },
      spec: { taints: [{ key: Taint.Unleased, effect: 'NoSchedule' }] }, status: { allocatable: { [VM_RESOURCE]: '2' } },
    });
    plane.watch(Kinds.Pod, {}, { onSync: () => this.#soon(), onChange: () => this.#soon() });
    plane.watch(Kinds.Node, {}, { onSync: () => undefined, onChange: (_, n) => (n.metadata.name === node ? this.#soon() : undefined) });
    await this.report();
    this.#beat();
    return this;
  }

  /** All machines end, as after a power cut. */
  loseMachines(): void {
    for (const vm of this.#vms) this.#line('Stopped', vm, 'Crashed');
    this.#vms = [];
  }

  /** Forgets journal lines that were not read, as a full report does. */
  dropJournal(upTo: number): void {
    this.#journal.splice(0, this.#journal.filter((e) => e.seq <= upTo).length);
  }

  /** What runs and lies on it now, whatever was reported. */
  state(): AgentState {
    const vms = this.#vms.map(({ instanceUID, machineID, mac, state }) => ({ name: `macrack-${instanceUID}`, instanceUID, machineID, mac, state }));
    return { serial: this.serial, hardwareUUID: `hw-${this.serial}`, bootID: 'boot', capacity: { max: 2, running: vms.length, kernelQuota: 2 }, vms, disks: this.#disks.map(({ instanceUID }) => ({ instanceUID })) };
  }

  async report(status: Partial<MacNodeStatus> = {}): Promise<void> {
    const lastSeen = formatInstant(this.plane.now);
    const conditions = [{ type: Condition.Ready, status: 'True' as const, reason: 'Reports', message: '', lastTransitionTime: lastSeen }];
    await this.plane.patch(Kinds.MacNode, { name: this.serial }, {
      status: { nodeRef: this.node, vmCount: this.#vms.length, vms: this.#vms, disks: this.#disks, leaked: 0, hardwareUUID: `hw-${this.serial}`, lastSeen, conditions, journal: this.#journal.slice(-64), journalSeq: this.#journal.at(-1)?.seq ?? 0, ...status },
    }, { subresource: 'status' });
  }

  #beat(): void {
    this.plane.after(HEARTBEAT_MS, () => {
      if (this.alive) this.#soon(true);
      this.#beat();
    });
  }

  #soon(report = false): void {
    this.#busy = this.#busy.then(() => (this.alive ? this.#work(report) : undefined)).catch(() => undefined);
  }

  async #work(report: boolean): Promise<void> {
    const before = JSON.stringify([this.#vms, this.#disks]);
    const pods = this.plane.all(Kinds.Pod).filter((p) => p.spec.nodeSelector?.[Label.NodeSerial] === this.serial);
    for (const pod of pods) await this.#sync(pod);
    this.#wipe(pods);
    if (report || JSON.stringify([this.#vms, this.#disks]) !== before) await this.report();
  }

  async #sync(pod: Pod): Promise<void> {
    const ref = { namespace: pod.metadata.namespace ?? '', name: pod.metadata.name };
    if (pod.metadata.deletionTimestamp !== undefined) {
      const vm = this.#vms.find((v) => v.podUID === pod.metadata.uid);
      if (vm !== undefined) this.#line('Stopped', vm);
      this.#vms = this.#vms.filter((v) => v !== vm);
      await this.report();
      return this.plane.remove(Kinds.Pod, ref, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } });
    }
    if (pod.spec.nodeName !== undefined || pod.status?.phase === 'Failed') return;
    await this.plane.patch(Kinds.Pod, ref, { spec: { nodeName: this.node } });
    this.#run(pod);
    await this.plane.patch(Kinds.Pod, ref, { status: { phase: 'Running' } }, { subresource: 'status' });
  }

  #run(pod: Pod): void {
    const of = (name: string): string => pod.metadata.annotations?.[name] ?? '';
    const [instanceUID, leaseUID, bindingUID] = [of(Annotation.InstanceUID), of(Annotation.LeaseUID), of(Annotation.BindingUID)];
    const vm: ReportedVm = {
      instanceUID, podUID: pod.metadata.uid, leaseUID, bindingUID, ...this.identity(instanceUID), state: 'Running', startedAt: formatInstant(this.plane.now),
      ...(this.addresses ? { ip: `192.168.64.${this.#vms.length + 2}` } : {}),
    };
    this.#vms.push(vm);
    this.#disks = [...this.#disks.filter((d) => d.instanceUID !== instanceUID), { instanceUID, bindingUID, tenant: pod.metadata.namespace ?? '' }];
    this.#line('Started', vm);
  }

  #line(event: JournalEntry['event'], vm: ReportedVm, reason?: string): void {
    const { instanceUID, podUID, leaseUID, bindingUID, machineID, mac } = vm;
    const tenant = this.#disks.find((d) => d.instanceUID === instanceUID)?.tenant ?? '';
    const vmCount = event === 'Started' ? this.#vms.length : this.#vms.length - 1;
    this.#journal.push({ seq: (this.#journal.at(-1)?.seq ?? 0) + 1, event, at: formatInstant(this.plane.now), instanceUID, podUID, leaseUID, bindingUID, tenant, machineID, mac, vmCount, ...(reason === undefined ? {} : { reason }) });
  }

  #wipe(pods: readonly Pod[]): void {
    const annotation = this.plane.peek(Kinds.Node, { name: this.node })?.metadata.annotations?.[Annotation.KeepDisks];
    if (annotation === undefined) return;
    const kept = new Set([...annotation.split(','), ...pods.map((p) => p.metadata.annotations?.[Annotation.InstanceUID])]);
    this.#disks = this.#disks.filter((d) => kept.has(d.instanceUID));
  }
}

