import type { ApiObject, Json, JsonObject } from '../json';
import type { Column, ResourceDefinition } from '../resources/definition';

const steps: [limit: number, render: (seconds: number) => string][] = [
  [120, (s) => `${s}s`],
  [600, (s) => pair(Math.floor(s / 60), 'm', s % 60, 's')],
  [3 * 3600, (s) => `${Math.floor(s / 60)}m`],
  [8 * 3600, (s) => pair(Math.floor(s / 3600), 'h', Math.floor(s / 60) % 60, 'm')],
  [48 * 3600, (s) => `${Math.floor(s / 3600)}h`],
  [8 * 86_400, (s) => pair(Math.floor(s / 86_400), 'd', Math.floor(s / 3600) % 24, 'h')],
  [2 * 365 * 86_400, (s) => `${Math.floor(s / 86_400)}d`],
  [Infinity, (s) => `${Math.floor(s / (365 * 86_400))}y`],
];
const pair = (big: number, bigUnit: string, small: number, smallUnit: string) => `${big}${bigUnit}${small ? `${small}${smallUnit}` : ''}`;

/** The age of an instant as kubectl prints it; `<invalid>` for the future. */
export function age(instant: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(instant)) / 1000);
  if (Number.isNaN(seconds)) return '<unknown>';
  if (seconds < -1) return '<invalid>';
  const step = steps.find(([limit]) => seconds < limit);
  return step ? step[1](Math.max(0, seconds)) : '';
}

const nameColumn: Column = { name: 'Name', type: 'string', priority: 0, description: 'Name must be unique within a namespace.', cell: (object) => object.metadata.name };

function cellOf(column: Column, object: ApiObject, now: number): Json {
  const value = column.cell(object);
  if (value === undefined) return null;
  return column.type === 'date' ? age(String(value), now) : value;
}

/** `meta.k8s.io/v1 Table`. @param include what each row carries of its object: Object, Metadata or None. */
export function table(definition: ResourceDefinition, objects: ApiObject[], metadata: JsonObject, now: number, include: string): JsonObject {
  const columns = definition.isNamedLast ? [...definition.columns, { ...nameColumn, priority: 1 }] : [nameColumn, ...definition.columns];
  const carried = (object: ApiObject): JsonObject => {
    if (include === 'None') return {};
    return { object: include === 'Object' ? object : { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata } };
  };
  return {
    kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata,
    columnDefinitions: columns.map(({ name, type, priority, description }) => ({ name, type, format: name === nameColumn.name ? 'name' : '', priority, description })),
    rows: objects.map((object) => ({ cells: columns.map((column) => cellOf(column, object, now)), ...carried(object) })),
  };
}
