import { isSameQuantity } from '../../../sdk/api/quantity';
import { isKnown, UNKNOWN, type Maybe } from '../../../sdk/rules/unknown';
import type { Finding } from '../../core/finding';
import type { InstanceDeclaration, ShapeDeclaration } from '../../core/instance';
import { checkInstance, type InstanceText } from '../../core/instance-check';
import { tryParseId } from '../../core/object-id';
import { checkTimeouts } from '../../core/timeouts';
import { PULUMI } from '../../core/wording';
import { isSet, toProp, type Props } from '../props';
import { Fields } from './fields';
import { ownerFor } from './owner';
import { readTimeouts } from './timeouts-input';

/** What a program may write. */
export const INSTANCE_FIELDS = ['lease', 'image', 'shape', 'name', 'namespace', 'running', 'awaitIp', 'timeouts'] as const;

/** What the package and `check` add to the inputs. */
export const INSTANCE_HIDDEN = ['owner', '__provider'] as const;

const SHAPE_FIELDS = ['cpu', 'memory', 'disk'] as const;

/** Inputs of an instance, read and completed. */
export interface InstanceInputs {
  readonly declaration: InstanceDeclaration;
  /** The inputs as they go into the state, with defaults filled in. */
  readonly inputs: Props;
  /** What can be said without asking anybody. */
  readonly findings: readonly Finding[];
}

function readShape(fields: Fields): Maybe<ShapeDeclaration> {
  const props = fields.required('shape', fields.object('shape'), 'an object { cpu, memory, disk }');
  if (!isKnown(props)) return UNKNOWN;
  const inner = new Fields('MacOSInstance', props, SHAPE_FIELDS, [], 'shape');
  const shape: ShapeDeclaration = {
    cpu: inner.required('cpu', inner.number('cpu'), 'a whole number of cores'), memory: inner.required('memory', inner.text('memory'), 'a size such as "8Gi"'),
    disk: inner.required('disk', inner.text('disk'), 'a size such as "100Gi"'),
  };
  fields.findings.push(...inner.findings);
  return shape;
}

/** Sizes that mean the same keep the form that is in the state, so that they are no difference. */
function sameForm(next: Maybe<ShapeDeclaration>, prior: unknown): Maybe<ShapeDeclaration> {
  if (!isKnown(next) || typeof prior !== 'object' || prior === null) return next;
  const { memory, disk } = prior as { readonly memory?: unknown; readonly disk?: unknown };
  const same = (text: Maybe<string>, was: unknown): Maybe<string> => (isKnown(text) && typeof was === 'string' && isSameQuantity(text, was) ? was : text);
  return { cpu: next.cpu, memory: same(next.memory, memory), disk: same(next.disk, disk) };
}

const namespaceOfLease = (lease: Maybe<string>): Maybe<string> => (isKnown(lease) ? tryParseId(lease)?.namespace ?? UNKNOWN : UNKNOWN);

/** Reads the inputs of an instance. One without a namespace lives in that of its lease. */
export function instanceInputs(news: Props, olds: Props): InstanceInputs {
  const fields = new Fields('MacOSInstance', news, INSTANCE_FIELDS, INSTANCE_HIDDEN);
  const written: InstanceText = {
    namespace: fields.text('namespace'), name: fields.required('name', fields.text('name'), 'a DNS label'),
    lease: fields.required('lease', fields.text('lease'), PULUMI.leaseExample), image: fields.required('image', fields.text('image'), 'an OCI reference'), shape: readShape(fields),
  };
  const running: Maybe<boolean | null> = fields.flag('running');
  fields.flag('awaitIp');
  const timeouts = readTimeouts(fields, 'MacOSInstance');
  const declaration: InstanceDeclaration = {
    name: written.name, lease: written.lease, image: written.image,
    namespace: written.namespace === null ? namespaceOfLease(written.lease) : written.namespace,
    shape: sameForm(written.shape, olds.shape), running: running === null ? true : running, owner: ownerFor(news.owner),
  };
  return { declaration, findings: [...fields.findings, ...checkInstance(written, PULUMI), ...checkTimeouts(timeouts)], inputs: completed(news, declaration) };
}

const toShape = ({ cpu, memory, disk }: ShapeDeclaration): Props => ({ cpu: toProp(cpu), memory: toProp(memory), disk: toProp(disk) });

function completed(news: Props, { namespace, name, lease, shape, running }: InstanceDeclaration): Props {
  const filled = { namespace: toProp(namespace), name: toProp(name), lease: toProp(lease), shape: isKnown(shape) ? toShape(shape) : toProp(UNKNOWN), running: toProp(running) };
  return Object.fromEntries(Object.entries({ ...news, ...filled }).filter(([, value]) => isSet(value)));
}
