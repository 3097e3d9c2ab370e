import type { ServerResponse } from 'node:http';
import type { Json } from '../json';
import { isRecord, textsAt } from '../json';
import { storeKey } from '../resources/definition';
import { selection } from '../store/selectors';
import type { Call } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import { create } from '../verbs/create';
import { remove, removeCollection } from '../verbs/delete';
import { createSubresource, finalize } from '../verbs/subresources';
import { patch } from '../verbs/patch';
import { findExisting, replace } from '../verbs/update';
import { renderer, sendJson, setWarnings, success } from './answer';
import type { RequestVerb } from './route';
import { badRequest, invalidOptions, notImplemented, StatusError, tooLarge } from './status-error';
import { watch } from './watch';

/** A watch answers by itself; every other verb gives code and body. */
export type Outcome = { code: number; body: Json } | 'streaming';

function assertServed(call: Call, verb: RequestVerb): void {
  const { definition, subresource } = call;
  if (subresource !== undefined && !definition.subresources.includes(subresource)) throw notImplemented(`${definition.resource}/${subresource}`);
  if (!definition.verbs.includes(verb)) throw notImplemented(`${verb} of ${definition.resource}: they are loaded when the plane starts`);
}

function assertReadable(plane: Plane, call: Call): void {
  const version = call.query.get('resourceVersion') ?? '';
  const match = call.query.get('resourceVersionMatch');
  if (match !== null && version === '') throw invalidOptions('ListOptions', 'resourceVersionMatch', 'Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (match === 'Exact') throw notImplemented('resourceVersionMatch=Exact');
  if (call.query.get('continue')) throw new StatusError(410, 'Expired', 'the development plane answers every list whole and gives no continue token');
  if (!/^\d*$/.test(version)) throw badRequest(`invalid resource version: resourceVersion: Invalid value: "${version}": strconv.ParseUint: parsing "${version}": invalid syntax`);
  if (Number(version) > plane.store.revision) throw tooLarge(version, plane.store.revision);
}

const modes: Record<string, string> = { create: 'CreateOptions', update: 'UpdateOptions', patch: 'PatchOptions', delete: 'DeleteOptions', deletecollection: 'DeleteOptions' };

/** Parameters of a write that mean nothing are refused, so that a misspelt dry run never writes. */
function assertWritable(call: Call, verb: RequestVerb): void {
  const options = modes[verb];
  if (options === undefined) return;
  const dryRun = call.isDeletion && isRecord(call.body) ? textsAt(call.body, 'dryRun') : call.query.getAll('dryRun');
  if (dryRun.some((value) => value !== 'All')) throw invalidOptions(options, 'dryRun', `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`);
  const validation = call.query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(validation)) throw invalidOptions(options, 'fieldValidation', `Unsupported value: ${JSON.stringify(validation)}: supported values: "", "Ignore", "Strict", "Warn"`);
}

async function removeOne(plane: Plane, call: Call): Promise<Json> {
  const { object, isGone } = await remove(plane, call);
  const { definition } = call;
  // Kinds that end gracefully are shown once more, the others are just gone.
  return isGone && !definition.strategy.gracePeriod ? success({ name: object.metadata.name, ...(definition.group && { group: definition.group }), kind: definition.resource, uid: object.metadata.uid ?? '' }) : object;
}

/** Carries a request out. */
export async function dispatch(plane: Plane, verb: RequestVerb, call: Call, accept: string, response: ServerResponse): Promise<Outcome> {
  assertServed(call, verb);
  assertWritable(call, verb);
  const render = renderer(plane, call, accept);
  const key = storeKey(call.definition);
  switch (verb) {
    case 'get': return { code: 200, body: render.one(findExisting(plane, call)) };
    case 'list':
      assertReadable(plane, call);
      return { code: 200, body: render.many(plane.store.list(key, call.namespace).filter(selection(call.query, call.definition))) };
    case 'watch':
      watch(plane, call, response, render.one);
      return 'streaming';
    case 'create':
      if (call.subresource !== undefined) return { code: 201, body: await createSubresource(plane, call) };
      return { code: 201, body: render.one(await create(plane, call)) };
    case 'update': {
      if (call.subresource === 'finalize') return { code: 200, body: render.one(await finalize(plane, call)) };
      const { object, isNew } = await replace(plane, call);
      return { code: isNew ? 201 : 200, body: render.one(object) };
    }
    case 'patch': return { code: 200, body: render.one(await patch(plane, call)) };
    case 'delete': return { code: 200, body: await removeOne(plane, call) };
    case 'deletecollection': return { code: 200, body: render.many(await removeCollection(plane, call)) };
  }
}

export function send(response: ServerResponse, call: Call, outcome: Outcome): void {
  if (outcome === 'streaming') return;
  setWarnings(response, call.warnings);
  sendJson(response, outcome.code, outcome.body);
}
