import { Label, Taint, type Node } from '../../../sdk/api';
import type { NodeTaint } from '../../../sdk/api/core-objects';

const isOurs = (taint: NodeTaint): boolean => taint.key.startsWith('macrack.io/');
const taintsOf = (node: Node): readonly NodeTaint[] => node.spec.taints ?? [];

/** True if the node carries the tenant's taint in full and nothing else of ours. */
function isTaintedFor(node: Node, tenant: string): boolean {
  const ours = taintsOf(node).filter(isOurs);
  return ours.length === 1 && ours[0]?.key === Taint.Tenant && ours[0].value === tenant && ours[0].effect === 'NoSchedule';
}

export function isUnleased(node: Node): boolean {
  const ours = taintsOf(node).filter(isOurs);
  return ours.length === 1 && ours[0]?.key === Taint.Unleased && ours[0].effect === 'NoSchedule';
}

const withOurs = (node: Node, taint: NodeTaint): NodeTaint[] => [...taintsOf(node).filter((t) => !isOurs(t)), taint];
const unleased: NodeTaint = { key: Taint.Unleased, effect: 'NoSchedule' };

/**
 * The next patch that makes a node the tenant's; null when it is. A node goes from one tenant to another only through unleased,
 * so a foreign taint takes two patches.
 */
export function leasedPatch(node: Node, tenant: string, serial: string): object | null {
  const foreign = taintsOf(node).some((t) => t.key === Taint.Tenant && t.value !== tenant);
  if (foreign) return { spec: { taints: withOurs(node, unleased) } };
  const tainted = isTaintedFor(node, tenant);
  const labelled = node.metadata.labels?.[Label.NodeSerial] === serial;
  if (tainted && labelled) return null;
  return {
    ...(tainted ? {} : { spec: { taints: withOurs(node, { key: Taint.Tenant, value: tenant, effect: 'NoSchedule' }) } }),
    ...(labelled ? {} : { metadata: { labels: { [Label.NodeSerial]: serial } } }),
  };
}

/** The patch that takes a node from its tenant; null when it is nobody's. */
export function unleasedPatch(node: Node): object | null {
  const labelled = node.metadata.labels?.[Label.NodeSerial] !== undefined;
  if (isUnleased(node) && !labelled) return null;
  return {
    ...(isUnleased(node) ? {} : { spec: { taints: withOurs(node, unleased) } }),
    ...(labelled ? { metadata: { labels: { [Label.NodeSerial]: null } } } : {}),
  };
}

const NOT_READY = 'node.kubernetes.io/not-ready';

/** Takes the API server's own mark off a node that reports Ready, for planes without a node lifecycle controller; null when there is none. */
export function readyPatch(node: Node): object | null {
  const ready = node.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;
  const marked = taintsOf(node).some((t) => t.key === NOT_READY);
  return ready && marked ? { spec: { taints: taintsOf(node).filter((t) => t.key !== NOT_READY) } } : null;
}
