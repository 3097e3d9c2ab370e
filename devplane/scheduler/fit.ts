import type { ApiObject, Json } from '../json';
import { at, listAt, recordAt, textAt } from '../json';
import { isTerminal } from '../resources/pods';
import { parseQuantity } from '../resources/quantity';

function tolerates(toleration: Json, taint: Json): boolean {
  const [key, effect] = [textAt(toleration, 'key'), textAt(toleration, 'effect')];
  if (effect !== '' && effect !== textAt(taint, 'effect')) return false;
  if (key !== '' && key !== textAt(taint, 'key')) return false;
  if (textAt(toleration, 'operator') === 'Exists') return true;
  return key !== '' && textAt(toleration, 'value') === textAt(taint, 'value');
}

const isUntolerated = (pod: ApiObject, node: ApiObject) =>
  listAt(node, 'spec', 'taints').some((taint) => textAt(taint, 'effect') !== 'PreferNoSchedule' && !listAt(pod, 'spec', 'tolerations').some((toleration) => tolerates(toleration, taint)));

function requests(pod: ApiObject): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const container of listAt(pod, 'spec', 'containers')) {
    for (const [name, amount] of Object.entries(recordAt(container, 'resources', 'requests'))) sums.set(name, (sums.get(name) ?? 0n) + (parseQuantity(amount) ?? 0n));
  }
  return sums;
}

/** Terminating pods count; Failed and Succeeded free their place at once. */
function shortages(pod: ApiObject, node: ApiObject, pods: ApiObject[]): string[] {
  const placed = pods.filter((candidate) => textAt(candidate, 'spec', 'nodeName') === node.metadata.name && !isTerminal(candidate));
  const allocatable = (resource: string) => parseQuantity(at(node, 'status', 'allocatable', resource)) ?? 0n;
  const used = (resource: string) => placed.reduce((sum, candidate) => sum + (requests(candidate).get(resource) ?? 0n), 0n);
  const short = [...requests(pod)].filter(([resource, amount]) => amount > 0n && used(resource) + amount > allocatable(resource)).map(([resource]) => `Insufficient ${resource}`);
  const isFull = BigInt(placed.length + 1) * 1_000_000_000n > allocatable('pods');
  return isFull ? [...short, 'Too many pods'] : short;
}

export interface Misfit {
  reasons: string[];
  /** Removing other pods could make room: what the preemption half of the message tells apart. */
  isCrowded: boolean;
}

/** Why a node cannot take a pod: the reasons of the first filter that fails, in the order of kube-scheduler; undefined when it can. */
export function misfit(pod: ApiObject, node: ApiObject, pods: ApiObject[]): Misfit | undefined {
  const never = (reason: string) => ({ reasons: [reason], isCrowded: false });
  if (at(node, 'spec', 'unschedulable') === true) return never('node(s) were unschedulable');
  if (isUntolerated(pod, node)) return never('node(s) had untolerated taint(s)');
  const labels = node.metadata.labels ?? {};
  if (Object.entries(recordAt(pod, 'spec', 'nodeSelector')).some(([key, value]) => labels[key] !== value)) return never("node(s) didn't match Pod's node affinity/selector");
  const reasons = shortages(pod, node, pods);
  return reasons.length === 0 ? undefined : { reasons, isCrowded: true };
}

function tally(reasons: string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${count} ${reason}`).sort().join(', ');
}

/** `0/1 nodes are available: 1 Insufficient macrack.io/macos-vm, 1 Too many pods. preemption: …` */
export function explain(misfits: Misfit[]): string {
  if (misfits.length === 0) return 'no nodes available to schedule pods';
  const available = `0/${misfits.length} nodes are available: `;
  const preemption = misfits.map(({ isCrowded }) => (isCrowded ? 'No preemption victims found for incoming pods' : 'Preemption is not helpful for scheduling'));
  return `${available}${tally(misfits.flatMap(({ reasons }) => reasons))}. preemption: ${available}${tally(preemption)}.`;
}
