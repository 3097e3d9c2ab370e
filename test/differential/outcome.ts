import type { ApiObject, Json, JsonObject } from '../../devplane/json';
import { isRecord, listAt, textAt } from '../../devplane/json';
import type { Answer } from './planes';
import type { Player } from './player';

const OURS = ['MacNodeLease', 'MacOSInstance', 'MacNodeBinding', 'MacNode'];

const isOurs = (taint: Json): boolean => textAt(taint, 'key').startsWith('macrack.io/');

/** What the project reads of a kind of Kubernetes: the rest is filled, and repaired at its own time, by servers that the development plane has not. */
const READ: Record<string, (object: ApiObject) => Json> = {
  Node: (node) => ({ taints: listAt(node, 'spec', 'taints').filter(isOurs), unschedulable: isRecord(node.spec) ? (node.spec.unschedulable ?? false) : false, capacity: isRecord(node.status) ? (node.status.capacity ?? null) : null }),
  Pod: (pod) => ({ tolerations: listAt(pod, 'spec', 'tolerations'), nodeName: textAt(pod, 'spec', 'nodeName'), phase: pod.metadata.deletionTimestamp === undefined ? textAt(pod, 'status', 'phase') : 'of the pod garbage collector', containers: listAt(pod, 'spec', 'containers').map((each) => [textAt(each, 'name'), isRecord(each) ? (each.resources ?? {}) : {}] as Json) }),
  Event: (event) => ({ involvedObject: event.involvedObject ?? null, reason: textAt(event, 'reason'), message: textAt(event, 'message'), type: textAt(event, 'type'), count: event.count ?? 0 }),
  Role: (role) => listAt(role, 'rules'),
  Namespace: (namespace) => ({ phase: textAt(namespace, 'status', 'phase') }),
};

function shown(object: ApiObject): JsonObject {
  const { apiVersion: _version, kind, metadata, ...rest } = object;
  const { name, generateName, labels = {}, annotations = {}, finalizers = [], generation = 0, deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  const body = READ[kind]?.(object) ?? rest;
  const { 'beta.kubernetes.io/os': _ofTheNodeController, ...written } = labels;
  return { kind, name: generateName === undefined ? name : generateName, labels: written, annotations, finalizers, ...(OURS.includes(kind) && { generation }), ...(deletionTimestamp !== undefined && { grace: deletionGracePeriodSeconds }), body };
}

/** Sets are written in one order, so that only their contents compare. */
const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort();

function refusal({ code, body }: Answer): JsonObject {
  const policy = /ValidatingAdmissionPolicy '([^']+)'/.exec(body.message ?? '')?.[1];
  const fields = sorted((body.details?.causes ?? []).map(({ field = '' }) => field.replace(/\[\d+\]/g, '')));
  return { code, reason: body.reason ?? '', ...(policy !== undefined && { policy }), ...(code === 422 && { fields }) };
}

/** How an answer compares: a refusal by its code, reason, policy and fields; an object by what the project reads of it. */
export function outcomeOf(player: Player, answer: Answer): JsonObject {
  const { code, body } = answer;
  if (code >= 400) return player.neutral(refusal(answer));
  const warned = answer.warnings.length > 0 && { warnings: sorted(answer.warnings) };
  if (body.items !== undefined) {
    const kind = (body.kind ?? '').replace(/List$/, '');
    return player.neutral({ code, items: body.items.map((item) => shown({ ...item, kind })).map(({ name }) => name ?? null) });
  }
  if (body.kind === 'Status') return { code, ...warned };
  return player.neutral({ code, ...warned, object: shown(body) });
}

const inOrder = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(inOrder);
  return isRecord(value) ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, inOrder(value[key] ?? null)])) : value;
};

/** What is there, in one order. */
export function stateOf(player: Player, objects: readonly ApiObject[]): Json {
  const all = objects.map((object) => (object.kind === 'Status' ? { gone: 'Namespace' } : shown(object)));
  return player.neutral(all).map((each) => JSON.stringify(inOrder(each))).sort();
}
