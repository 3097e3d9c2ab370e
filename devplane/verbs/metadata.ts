import type { ApiObject } from '../json';
import type { Cause } from '../schema/cause';
import type { Call } from './call';

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const subdomainRule = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelRule = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const nameRule = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const unfit = (field: string, value: string, rule: string): Cause => ({ reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${rule}` });

/** @param shown the key as the client wrote it. */
function keyFaults(field: string, key: string, shown = key): Cause[] {
  const [prefix, name = '', ...more] = key.includes('/') ? key.split('/') : [undefined, key];
  if (more.length > 0) return [unfit(field, shown, "a valid label key must consist of a DNS subdomain prefix, '/' and a name")];
  const faults = prefix !== undefined && (!subdomain.test(prefix) || prefix.length > 253) ? [unfit(field, shown, `prefix part ${subdomainRule}`)] : [];
  if (name === '') return [...faults, unfit(field, shown, 'name part must be non-empty')];
  if (name.length > 63) faults.push(unfit(field, shown, 'name part must be no more than 63 bytes'));
  return label.test(name) ? faults : [...faults, unfit(field, shown, nameRule)];
}

function labelFaults(labels: Record<string, string>): Cause[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const faults = keyFaults('metadata.labels', key);
    if (value.length > 63) faults.push(unfit('metadata.labels', value, 'must be no more than 63 bytes'));
    return label.test(value) ? faults : [...faults, unfit('metadata.labels', value, labelRule)];
  });
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];
const isPlain = (finalizer: string) => !finalizer.includes('/') && !standardFinalizers.includes(finalizer);

/** A finalizer that names no domain is a warning on custom resources and a fault on the kinds of Kubernetes. */
function finalizerFaults({ definition }: Call, finalizers: string[], old: ApiObject | undefined): Cause[] {
  const faults = finalizers.flatMap((finalizer) => keyFaults('metadata.finalizers', finalizer));
  if (!definition.custom) faults.push(...finalizers.filter(isPlain).map((finalizer) => unfit('metadata.finalizers', finalizer, 'name is neither a standard finalizer name nor is it fully qualified')));
  const added = old?.metadata.deletionTimestamp ? finalizers.filter((finalizer) => !old.metadata.finalizers?.includes(finalizer)) : [];
  if (added.length === 0) return faults;
  const list = `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`;
  return [...faults, { reason: 'FieldValueForbidden', field: 'metadata.finalizers', message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${list}` }];
}

function ownerFaults({ ownerReferences = [] }: ApiObject['metadata']): Cause[] {
  const faults = ownerReferences.flatMap((owner, index) => ['apiVersion', 'kind', 'name', 'uid'].filter((field) => !owner[field])
    .map((field): Cause => ({ reason: 'FieldValueRequired', field: `metadata.ownerReferences[${index}].${field}`, message: 'Required value: must not be empty' })));
  const controllers = ownerReferences.filter(({ controller }) => controller === true).map(({ kind, name }) => `${kind}/${name}`);
  if (controllers.length < 2) return faults;
  const rule = `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0]} and ${controllers[1]}`;
  return [...faults, { reason: 'FieldValueInvalid', field: 'metadata.ownerReferences', message: `Invalid value: ${JSON.stringify(ownerReferences)}: ${rule}` }];
}

/** What Kubernetes demands of the metadata of every kind. */
export function metadataFaults(call: Call, object: ApiObject, old: ApiObject | undefined): Cause[] {
  const { name, generateName, labels = {}, annotations = {}, finalizers = [] } = object.metadata;
  const isFreeForm = call.definition.group === 'rbac.authorization.k8s.io';
  const names = [['metadata.generateName', generateName?.replace(/-$/, '')], ['metadata.name', name]] as const;
  const own: Cause[] = name ? [] : [{ reason: 'FieldValueRequired', field: 'metadata.name', message: 'Required value: name or generateName is required' }];
  if (old && object.metadata.uid !== old.metadata.uid) own.push(unfit('metadata.uid', object.metadata.uid ?? '', 'field is immutable'));
  return [
    ...own, ...names.filter(([, value]) => value && !isFreeForm && (!subdomain.test(value) || value.length > 253)).map(([field, value = '']) => unfit(field, value, subdomainRule)),
    ...labelFaults(labels), ...Object.keys(annotations).flatMap((key) => keyFaults('metadata.annotations', key.toLowerCase(), key)), ...finalizerFaults(call, finalizers, old), ...ownerFaults(object.metadata),
  ];
}

/** What Kubernetes says of new finalizers of custom resources that name no domain. */
export function finalizerWarnings({ metadata: { finalizers = [] } }: ApiObject, old: ApiObject | undefined): string[] {
  const added = finalizers.filter((finalizer) => isPlain(finalizer) && !old?.metadata.finalizers?.includes(finalizer));
  return added.map((finalizer) => `metadata.finalizers: "${finalizer}": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`);
}
