import type { Resource } from '@pulumi/pulumi';
import * as runtime from '@pulumi/pulumi/runtime';
import { judgeSerial } from '../../../sdk/rules/judge-capacity';
import { judgePlacement } from '../../../sdk/rules/judge-placement';
import { judgeStart } from '../../../sdk/rules/judge-start';
import { isKnown, UNKNOWN } from '../../../sdk/rules/unknown';
import { both, type Verdict } from '../../../sdk/rules/verdict';
import { createdTwice } from '../../core/created-twice';
import type { Findings, ManagedKind } from '../../core/finding';
import { tryName, tryParseId, type Named } from '../../core/object-id';
import { Run } from '../../core/run';
import { maybeSubject } from '../../core/title';
import { findingsOf } from '../../core/verdict-findings';
import { PULUMI } from '../../core/wording';
import { instanceInputs } from '../inputs/instance-inputs';
import { leaseInputs } from '../inputs/lease-inputs';
import { maybe, type Props } from '../props';
import { sentenceOf } from '../wording';
import { plainArguments } from './declaration';
import { isMocked } from './engine';
import { programError } from './program-error';
import { readStackConfig } from './stack-config';

/** What one mocked program has declared. */
interface Program {
  readonly run: Run;
  /** Ids of leases by the serial that they pin, in lower case. */
  readonly pins: Map<string, string>;
  /** Instances by the id of their lease. */
  readonly instances: Map<string, Named[]>;
}

const programs = new WeakMap<object, Program>();

function currentProgram(): Program {
  const monitor = runtime.getMonitor() as unknown as object;
  const known = programs.get(monitor) ?? { run: new Run(() => 'preview'), pins: new Map<string, string>(), instances: new Map<string, Named[]>() };
  programs.set(monitor, known);
  return known;
}

const defaultNamespace = (): string => readStackConfig('namespace') ?? 'default';

const twice = ({ run }: Program, kind: ManagedKind, named: Named | undefined): Findings => (named === undefined ? [] : createdTwice({ run, wording: PULUMI }, kind, named));

function checkLease(program: Program, args: Props): Findings {
  const { declaration: { namespace, name, serial }, findings } = leaseInputs(args, {}, defaultNamespace());
  const lease = tryName(namespace, name);
  const faults = [...findings, ...twice(program, 'lease', lease)];
  if (faults.length > 0 || typeof serial !== 'string' || lease === undefined) return faults;
  const other = program.pins.get(serial.toLowerCase());
  program.pins.set(serial.toLowerCase(), `${lease.namespace}/${lease.name}`);
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
  const faults = [...findings, ...twice(program, 'instance', instance)];
  const ref = isKnown(lease) ? tryParseId(lease) : undefined;
  if (faults.length > 0 || instance === undefined || ref === undefined) return faults;
  const placed = judgePlacement({ instance: { ...instance, namespaceUID: UNKNOWN }, leaseRef: ref, lease: UNKNOWN });
  const verdict = { ...both(placed, judgeSlots(program, instance, ref)), undetermined: [] };
  return findingsOf(verdict, { kind: 'instance', id: `${instance.namespace}/${instance.name}`, lease: `${ref.namespace}/${ref.name}` });
}

/** "namespace/name" of each mocked lease, for the instances that name it by its object. */
const leaseIds = new WeakMap<Resource, string>();

function leaseIdOf(args: Readonly<Record<string, unknown>>): string | undefined {
  const id = maybe(leaseInputs(plainArguments(args)(), {}, defaultNamespace()).inputs.leaseId);
  return typeof id === 'string' ? id : undefined;
}

/** Notes what a mocked lease was made of. */
export function rememberUnderMocks(lease: Resource, args: Readonly<Record<string, unknown>>): void {
  const id = isMocked() ? leaseIdOf(args) : undefined;
  if (id !== undefined) leaseIds.set(lease, id);
}

/** What a preview would know of a lease: under mocks nobody completes the inputs. */
export function completedUnderMocks(args: Readonly<Record<string, unknown>>): Props {
  const leaseId = isMocked() && isDeclared(args) ? leaseIdOf(args) : undefined;
  return leaseId === undefined ? {} : { leaseId, namespace: tryParseId(leaseId)?.namespace };
}

// A resource that is only read has no arguments, and nothing to be judged.
const isDeclared = (args: Readonly<Record<string, unknown>>): boolean => Object.keys(args).length > 0;

/**
 * What can be said without a control plane, in the unit tests of a program. There is no engine then to show a refused check: the
 * constructor throws. What an output brings is not judged.
 */
export function checkUnderMocks(kind: ManagedKind, args: Readonly<Record<string, unknown>>, lease?: Resource): void {
  if (!isMocked() || !isDeclared(args)) return;
  const program = currentProgram();
  const props = plainArguments(args)();
  const leaseId = lease === undefined ? undefined : leaseIds.get(lease);
  const findings = kind === 'lease' ? checkLease(program, props) : checkInstance(program, leaseId === undefined ? props : { ...props, lease: leaseId });
  if (findings.length > 0) throw programError(findings.map(sentenceOf).join('\n'));
}
