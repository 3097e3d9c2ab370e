import type { Json, JsonObject } from '../json';
import { textAt } from '../json';
import { badRequest, StatusError } from './status-error';

/** Field numbers of a message. `int` is a varint; `map` has text keys and values; a list of one shape repeats. */
type Shape = 'text' | 'int' | 'map' | { [field: number]: [name: string, shape: Shape | [Shape]] };

const names = (...list: string[]): Shape => Object.fromEntries(list.map((name, index) => [index + 1, [name, 'text']]));
const texts: [Shape] = ['text'];
const metadata: Shape = {
  1: ['name', 'text'], 2: ['generateName', 'text'], 3: ['namespace', 'text'], 5: ['uid', 'text'], 6: ['resourceVersion', 'text'], 11: ['labels', 'map'], 12: ['annotations', 'map'], 14: ['finalizers', texts],
};
const rule: Shape = { 1: ['verbs', texts], 2: ['apiGroups', texts], 3: ['resources', texts], 4: ['resourceNames', texts], 5: ['nonResourceURLs', texts] };
const role: Shape = { 1: ['metadata', metadata], 2: ['rules', [rule]] };
const binding: Shape = { 1: ['metadata', metadata], 2: ['subjects', [names('kind', 'apiGroup', 'name', 'namespace')]], 3: ['roleRef', names('apiGroup', 'kind', 'name')] };
const attributes = names('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name');

/** The messages that kubectl's own sub-commands send; from the generated.proto files of Kubernetes. */
const messages: Record<string, Shape> = {
  Namespace: { 1: ['metadata', metadata] }, Role: role, ClusterRole: role, RoleBinding: binding, ClusterRoleBinding: binding,
  SelfSubjectAccessReview: { 2: ['spec', { 1: ['resourceAttributes', attributes], 2: ['nonResourceAttributes', names('path', 'verb')] }] },
  SelfSubjectReview: {},
  DeleteOptions: { 1: ['gracePeriodSeconds', 'int'], 2: ['preconditions', names('uid', 'resourceVersion')], 4: ['propagationPolicy', 'text'], 5: ['dryRun', texts] },
};
const envelope: Shape = { 1: ['typeMeta', names('apiVersion', 'kind')] };

function varint(bytes: Buffer, start: number): { value: number; next: number } {
  let value = 0;
  for (let next = start, scale = 1; next < bytes.length; scale *= 128) {
    const byte = bytes[next++] ?? 0;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, next };
  }
  throw badRequest('the protobuf body of the request ends within a number');
}

/** The fields of a message in order. Only varints and length-delimited fields occur in what kubectl sends. */
function* fieldsOf(bytes: Buffer): Generator<{ field: number; value: number | Buffer }> {
  for (let at = 0; at < bytes.length; ) {
    const tag = varint(bytes, at);
    const head = varint(bytes, tag.next);
    const field = Math.floor(tag.value / 8);
    switch (tag.value % 8) {
      case 0: at = head.next; yield { field, value: head.value }; break;
      case 2: at = head.next + head.value; yield { field, value: bytes.subarray(head.next, at) }; break;
      default: throw badRequest(`the protobuf body of the request has a field of wire type ${tag.value % 8}, which the development plane does not read`);
    }
  }
}

function pair(bytes: Buffer): JsonObject {
  const found = decode(bytes, { 1: ['key', 'text'], 2: ['value', 'text'] });
  return { [textAt(found, 'key')]: textAt(found, 'value') };
}

/** Empty texts stand for absent ones: Go writes every field that is no pointer. */
function read(value: number | Buffer, shape: Shape): Json | undefined {
  if (typeof value === 'number') return shape === 'int' ? value : undefined;
  if (shape === 'text') return value.length === 0 ? undefined : value.toString();
  if (shape === 'map') return pair(value);
  return shape === 'int' ? undefined : decode(value, shape);
}

function decode(bytes: Buffer, shape: Exclude<Shape, string>): JsonObject {
  const message: JsonObject = {};
  for (const { field, value } of fieldsOf(bytes)) {
    const [name, kind] = shape[field] ?? [];
    if (name === undefined || kind === undefined) continue;
    const found = read(value, Array.isArray(kind) ? kind[0] : kind);
    if (found === undefined) continue;
    const present = message[name];
    if (Array.isArray(kind)) message[name] = [...(Array.isArray(present) ? present : []), found];
    else message[name] = kind === 'map' ? { ...(present as JsonObject | undefined), ...(found as JsonObject) } : found;
  }
  return message;
}

const magic = Buffer.from('k8s\0');

/** A body of `application/vnd.kubernetes.protobuf` as JSON. @throws StatusError 400, or 415 for a kind whose message the plane does not know */
export function decodeProtobuf(body: Buffer): Json {
  if (!body.subarray(0, 4).equals(magic)) throw badRequest('the protobuf body of the request does not begin with the mark of Kubernetes');
  const outer = body.subarray(4);
  const { typeMeta } = decode(outer, envelope as Exclude<Shape, string>);
  const kind = textAt(typeMeta, 'kind');
  const shape = messages[kind];
  if (shape === undefined || typeof shape === 'string') throw new StatusError(415, 'UnsupportedMediaType', `the development plane reads no ${kind} in protobuf: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml`);
  const raw = [...fieldsOf(outer)].find(({ field }) => field === 2)?.value;
  return { apiVersion: textAt(typeMeta, 'apiVersion'), kind, ...(raw instanceof Buffer && decode(raw, shape)) };
}
