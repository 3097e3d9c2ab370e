import type { Resource } from '@pulumi/pulumi';
import * as runtime from '@pulumi/pulumi/runtime';
import { judgeSerial } from '../../../sdk/rules/judge-capacity';
import { judgePlacement } from '../../../sdk/rules/judge-placement';
import { judgeStart } from '../../../sdk/rules/judge-start';
import { isKnown, UNKNOWN } from '../../../sdk/rules/unknown';
import { both, type Verdict } from '../../../sdk/rules/verdict';
import type { Findings, ManagedKind } from '../../core/finding';
import { tryName, tryParseId, type Named } from '../../core/object-id';
import { maybeSubject } from '../../core/title';
import { findingsOf } from '../../core/verdict-findings';
import { instanceInputs } from '../inputs/instance-inputs';
import { leaseInputs } from '../inputs/lease-inputs';
import type { Props } from '../props';
import { sentenceOf } from '../wording';
import { plainArguments } from './declaration';
import { isMocked } from './engine';
import { programError } from './program-error';
import { readStackConfig } from './stack-config';

/** What one mocked program has declared. */
interface Program {
  /** Ids of leases by the serial that they pin, in lower case. */
  readonly pins: Map<string, string>;
  /** Instances by the id of their lease. */
  readonly instances: Map<string, Named[]>;
}

const programs = new WeakMap<object, Program>();

function currentProgram(): Program {
  const monitor = runtime.getMonitor() as unknown as object;
  const known = programs.get(monitor) ?? { pins: new Map<string, string>(), instances: new Map<string, Named[]>() };
  programs.set(monitor, known);
  return known;
}

const defaultNamespace = (): string => readStackConfig('namespace') ?? 'default';

function checkLease({ pins }: Program, args: Props): Findings {
  const { declaration: { namespace, name, serial }, findings, inputs: { leaseId } } = leaseInputs(args, {}, defaultNamespace());
  if (findings.length > 0 || typeof serial !== 'string' || typeof leaseId !== 'string') return findings;
  const other = pins.get(serial.toLowerCase());
  pins.set(serial.toLowerCase(), leaseId);
  return other === undefined ? [] : findingsOf(judgeSerial({ serial, available: false, alsoOf: { id: other, isNew: true } }), maybeSubject('lease', namespace, name));
}

function judgeSlots({ instances }: Program, instance: Named, lease: Named): Verdict {
  const id = `${lease.namespace}/${lease.name}`;
  const all = [...instances.get(id) ?? [], instance];
  instances.set(id, all);
  return judgeStart({ lease, serial: null, holders: [], starting: all.map((each) => ({ ...each, state: 'declared' })), now: UNKNOWN });
}

function checkInstance(program: Program, args: Props): Findings {
  const { declaration, findings } = instanceInputs(args, {});
  const { namespace, name, lease } = declaration;
  const instance = tryName(namespace, name);
  const ref = isKnown(lease) ? tryParseId(lease) : undefined;
  if (findings.length > 0 || instance === undefined || ref === undefined) return findings;
  const placed = judgePlacement({ instance: { ...instance, namespaceUID: UNKNOWN }, leaseRef: ref, lease: UNKNOWN });
  const verdict = { ...both(placed, judgeSlots(program, instance, ref)), undetermined: [] };
  return findingsOf(verdict, { kind: 'instance', id: `${instance.namespace}/${instance.name}`, lease: `${ref.namespace}/${ref.name}` });
}

const leaseArguments = new WeakMap<Resource, Props>();

/** Notes what a mocked lease was made of, for the instances that name it by its object. */
export function rememberUnderMocks(lease: Resource, args: Readonly<Record<string, unknown>>): void {
  if (isMocked()) leaseArguments.set(lease, plainArguments(args)());
}

/**
 * What can be said without a control plane, in the unit tests of a program. There is no engine then to show a refused check: the
 * constructor throws. What an output brings is not judged.
 */
export function checkUnderMocks(kind: ManagedKind, args: Readonly<Record<string, unknown>>, lease?: Resource): void {
  if (!isMocked()) return;
  const program = currentProgram();
  const props = plainArguments(args)();
  const known = lease === undefined ? undefined : leaseArguments.get(lease);
  const named = known === undefined ? props : { ...props, lease: leaseInputs(known, {}, defaultNamespace()).inputs.leaseId };
  const findings = kind === 'lease' ? checkLease(program, props) : checkInstance(program, named);
  if (findings.length > 0) throw programError(findings.map(sentenceOf).join('\n'));
}
