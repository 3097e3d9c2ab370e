import type { ApiObject, Json } from '../json';
import { at, isRecord, listAt, textAt, textsAt } from '../json';
import { compile } from '../schema/json-path';
import { compileRules } from '../schema/rules';
import { assertSupported } from '../schema/schema';
import { type Column, everyVerb, type ResourceDefinition } from './definition';

const cellOf = (value: Json | undefined) => (value === undefined || value === null ? undefined : typeof value === 'object' ? JSON.stringify(value) : value);

function columnOf(source: Json): Column {
  const read = compile(textAt(source, 'jsonPath'));
  const priority = at(source, 'priority');
  return {
    name: textAt(source, 'name'), type: textAt(source, 'type'), description: textAt(source, 'description'),
    priority: typeof priority === 'number' ? priority : 0,
    cell: (object) => cellOf(read(object)[0]),
  };
}

const age: Json = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** What a CustomResourceDefinition declares. @throws Error where the plane could not serve it truthfully. */
export function customResource(crd: ApiObject): ResourceDefinition {
  const names = at(crd, 'spec', 'names');
  const versions = listAt(crd, 'spec', 'versions').filter((version) => at(version, 'served') === true);
  const version = versions[0];
  if (!version || versions.length > 1) throw new Error(`${crd.metadata.name}: the development plane serves CRDs with exactly one served version`);
  const schema = at(version, 'schema', 'openAPIV3Schema');
  if (!isRecord(schema)) throw new Error(`${crd.metadata.name}: a v1 CRD has a schema`);
  assertSupported(schema, crd.metadata.name);
  const columns = listAt(version, 'additionalPrinterColumns');
  return {
    group: textAt(crd, 'spec', 'group'), version: textAt(version, 'name'), kind: textAt(names, 'kind'), resource: textAt(names, 'plural'),
    singular: textAt(names, 'singular') || textAt(names, 'kind').toLowerCase(),
    shortNames: textsAt(names, 'shortNames'), categories: textsAt(names, 'categories'),
    namespaced: textAt(crd, 'spec', 'scope') === 'Namespaced', verbs: everyVerb, custom: true, isCounted: true,
    subresources: at(version, 'subresources', 'status') === undefined ? [] : ['status'],
    schema: schema, rules: compileRules(schema, crd.metadata.name), columns: (columns.length > 0 ? columns : [age]).map(columnOf), strategy: {},
  };
}
