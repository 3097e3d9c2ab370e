import type { MacOSInstance } from '../../../sdk/api/kinds';
import { isSameQuantity } from '../../../sdk/api/quantity';
import { createInstance } from '../../core/instance-create';
import { deleteInstance } from '../../core/instance-delete';
import { leaseIdOf, type ShapeText } from '../../core/instance';
import { readInstance } from '../../core/instance-read';
import { updateInstance } from '../../core/instance-update';
import { idOf, type Named } from '../../core/object-id';
import { ALONE } from '../call';
import type { EngineLog } from '../engine-log';
import { INSTANCE_FIELDS } from '../inputs/instance-inputs';
import { instanceOutputs, instanceTarget, storedInstance } from '../inputs/instance-outputs';
import { patienceIn } from '../inputs/timeouts-input';
import type { Props } from '../props';
import type { Session } from '../session';
import { changedFields, difference, type Difference } from './difference';
import { MethodError } from './held-session';
import { checkInstanceInputs } from './instance-check';
import type { Methods } from './methods';
import { failFor, failKeeping, tellDrift, tellWarnings } from './outcome';
import { pick } from './pick';
import { doubtful, idIn } from './read-id';

const REPLACING = ['namespace', 'name', 'lease', 'image', 'shape'];
const UPDATING = ['running', 'awaitIp', 'timeouts', 'owner'];
const KEPT = [...INSTANCE_FIELDS, 'owner'];

/** `olds` are the outputs in the state. A power state that was changed outside is a difference of the power state alone. */
function diffInstance(olds: Props, news: Props): Difference {
  return difference(changedFields(olds, news, UPDATING), changedFields(olds, news, REPLACING));
}

/** The state of an instance: inputs, and what the server reports. */
function stateOf(inputs: Props, instance: MacOSInstance): Props {
  const { __provider: _text, ...own } = inputs;
  return { ...own, ...instanceOutputs(instance) };
}

/** Sizes that mean the same keep the form of the state. */
function sameForm(shape: ShapeText, prior: unknown): ShapeText {
  const was = (prior ?? {}) as Partial<ShapeText>;
  const kept = (now: string, then: string | undefined): string => (then !== undefined && isSameQuantity(now, then) ? then : now);
  return { cpu: shape.cpu, memory: kept(shape.memory, was.memory), disk: kept(shape.disk, was.disk) };
}

/** The state after a refresh. What the server says of the inputs wins, but for the forms that mean the same. */
function refreshed(named: Named, props: Props, instance: MacOSInstance): Props {
  const { image, shape, running } = instance.spec;
  return { ...pick(props, KEPT), ...named, lease: leaseIdOf(instance), image, shape: sameForm(shape, props.shape), running, ...instanceOutputs(instance) };
}

async function uidOf({ core }: Session, named: Named): Promise<string> {
  const look = await core.facts.instance(named);
  return look.seen ? look.value?.metadata.uid ?? '' : '';
}

/** The life of an instance in Pulumi. */
export function instanceMethods(log: EngineLog): Methods {
  return {
    check: (session, olds, news) => checkInstanceInputs(session, log, olds, news),
    diff: diffInstance,
    async create({ core }, inputs) {
      const target = instanceTarget(inputs);
      const { object, findings } = await createInstance(core, ALONE, target, patienceIn(inputs).create);
      await tellWarnings(log, findings, inputs);
      if (object === null) failFor(findings);
      if (object === null) throw new MethodError(`instance ${idOf(target)} was not made, and nobody said why`);
      failKeeping(findings, idOf(target), stateOf(inputs, object));
      return { id: idOf(target), outs: stateOf(inputs, object) };
    },
    async read(session, id, props) {
      const named = idIn(id);
      const uid = typeof props.uid === 'string' ? props.uid : '';
      const result = await readInstance(session.core, { ...named, uid: uid === '' ? await uidOf(session, named) : uid });
      if (result.kind === 'unread') throw doubtful(result.findings);
      if (result.kind === 'found') {
        await tellDrift(log, result.findings, props);
        return { id, props: refreshed(named, props, result.object) };
      }
      if (uid === '') throw new MethodError(`there is no instance ${id}. Correct the id, which is "namespace/name".`);
      return { id: '', props: {} };
    },
    async update({ core }, olds, news) {
      const { object, findings } = await updateInstance(core, ALONE, instanceTarget(news), storedInstance(olds).uid, patienceIn(news).update);
      await tellWarnings(log, findings, news);
      failFor(findings);
      return { outs: object === null ? { ...olds, ...news } : stateOf(news, object) };
    },
    async delete({ core }, props) {
      const findings = await deleteInstance(core, ALONE, storedInstance(props), patienceIn(props).delete);
      await tellWarnings(log, findings, props);
      failFor(findings);
    },
  };
}
