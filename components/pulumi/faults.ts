import { Output } from '@pulumi/pulumi';
import { findingsOf } from '../../provider/core/verdict-findings';
import { readStackConfig } from '../../provider/pulumi/program/stack-config';
import { sentenceOf } from '../../provider/pulumi/wording';
import { judgeStart } from '../../sdk/rules/judge-start';
import { UNKNOWN } from '../../sdk/rules/unknown';
import { noSuchField, unknownFields } from '../../sdk/rules/unknown-field';
import type { InputFault } from './refused-inputs';
import { VM_FIELDS } from './vm';

type Faults = readonly InputFault[];

/** A component in its program. */
export interface Component {
  /** As the user calls it: `DedicatedMac`. */
  readonly kind: string;
  /** Name of the Pulumi resource. */
  readonly name: string;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value) && !Output.isInstance(value) && !(value instanceof Promise);

/** A fault of a value; it says where the value stands, and what it has to be. */
export function invalid({ kind, name }: Component, propertyPath: string, sentence: string): InputFault {
  return { propertyPath, reason: `InvalidValue: ${kind} ${name}: ${sentence}` };
}

/** Fields that there are none of. @param at where they stand, `vms[0].`; empty for the component itself */
export function fieldFaults(component: Component, kind: string, written: object, fields: readonly string[], at = ''): Faults {
  return unknownFields(written, fields).map((field) => invalid(component, `${at}${field}`, noSuchField(kind, `${at}${field}`, fields.map((each) => `${at}${each}`))));
}

/** What a value of no use is, in a few words. */
export function shown(value: unknown): string {
  if (value === undefined) return 'left out';
  if (Output.isInstance(value) || value instanceof Promise) return 'an output';
  switch (typeof value) {
    case 'object': return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
    case 'string': return JSON.stringify(value);
    case 'number': case 'boolean': return String(value);
    default: return `a ${typeof value}`;
  }
}

function vmFaults(component: Component, vm: unknown, at: string): Faults {
  if (isObject(vm)) return fieldFaults(component, 'Vm', vm, VM_FIELDS, `${at}.`);
  return [invalid(component, at, `${at} is ${shown(vm)}. ${at} is an object { ${VM_FIELDS.join(', ')} }, which may have outputs inside. Write it so.`)];
}

/** How a namespace is called that only the kubeconfig knows. */
const DEFAULT_NAMESPACE = '(default namespace)';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The lease of a dedicated Mac as its inputs name it. */
export interface LeaseInputs {
  readonly name: unknown;
  readonly namespace: unknown;
}

/** Rule 1: a Mac of the program alone takes two, whatever runs on it. */
function slotFaults(component: Component, vms: readonly unknown[], lease: LeaseInputs): Faults {
  const namespace = text(lease.namespace) ?? readStackConfig('namespace') ?? DEFAULT_NAMESPACE;
  const name = text(lease.name) ?? component.name;
  const starting = vms.map((vm, slot) => ({ namespace, name: text((vm as { readonly name?: unknown } | null)?.name) ?? `${name}-vm-${slot}`, state: 'declared' }));
  const verdict = judgeStart({ lease: { namespace, name }, serial: null, holders: [], starting: distinct(starting), now: UNKNOWN });
  return findingsOf(verdict, { kind: 'lease', id: `${namespace}/${name}` }).map((finding) => ({ propertyPath: 'vms', reason: sentenceOf(finding) }));
}

// Two of one name are two machines that were asked for, and a fault of their own.
function distinct<T extends { readonly name: string }>(vms: readonly T[]): readonly T[] {
  return vms.map((vm, slot) => (vms.findIndex(({ name }) => name === vm.name) === slot ? vm : { ...vm, name: `${vm.name} (vms[${slot}])` }));
}

/** Faults of the virtual machines of one Mac. */
export function vmsFaults(component: Component, vms: unknown, lease: LeaseInputs): Faults {
  if (!Array.isArray(vms)) return [invalid(component, 'vms', `vms is ${shown(vms)}. vms is a list of at most two virtual machines, [] for a Mac without any. Write it so.`)];
  return [...vms.flatMap((vm, slot) => vmFaults(component, vm, `vms[${slot}]`)), ...slotFaults(component, vms, lease)];
}
