import { Kinds, type MacNodeLease } from '../../../sdk/api/kinds';
import type { OnEarlyRelease } from '../../../sdk/rules/judge-release';
import { isLowered } from '../../../sdk/rules/judge-lease-change';
import { createLease } from '../../core/lease-create';
import { deleteLease } from '../../core/lease-delete';
import { factsOf, phaseOf, type LeaseTarget } from '../../core/lease';
import { readLease } from '../../core/lease-read';
import { updateLease } from '../../core/lease-update';
import { idOf, type Named } from '../../core/object-id';
import { ALONE } from '../call';
import { noteWish } from '../early-release-wish';
import type { EngineLog } from '../engine-log';
import { LEASE_FIELDS } from '../inputs/lease-inputs';
import { leaseOutputs, leaseTarget, observedOf, storedLease } from '../inputs/lease-outputs';
import { patienceIn } from '../inputs/timeouts-input';
import { isSet, type Props } from '../props';
import type { Session } from '../session';
import { changedFields, difference, type Difference } from './difference';
import { MethodError } from './held-session';
import { checkLeaseInputs } from './lease-check';
import type { Methods } from './methods';
import { failFor, failKeeping, tellDrift, tellWarnings } from './outcome';
import { pick } from './pick';
import { doubtful, idIn } from './read-id';

const REPLACING = ['namespace', 'name', 'class', 'serial'];
const UPDATING = ['minimumDuration', 'onEarlyRelease', 'adopt', 'timeouts', 'statusInDiff', 'owner'];
const KEPT = [...LEASE_FIELDS, 'owner', 'leaseId', 'observed', 'keptAgain'];

const phaseIn = (observed: unknown): unknown => (observed as { readonly phase?: unknown } | undefined)?.phase;

/**
 * `olds` are the outputs in the state. The observed phase counts only where both sides have one, and a taking back only where the check
 * has announced one that the state does not have yet.
 */
function diffLease(olds: Props, news: Props): Difference {
  const lowered = typeof olds.minimumDuration === 'string' && typeof news.minimumDuration === 'string' && isLowered(olds.minimumDuration, news.minimumDuration);
  const replaces = [...changedFields(olds, news, REPLACING), ...(lowered ? ['minimumDuration'] : [])];
  const [was, is] = [phaseIn(olds.observed), phaseIn(news.observed)];
  const hasMoved = was !== undefined && is !== undefined && was !== is;
  const isKept = isSet(news.keptAgain) && news.keptAgain !== olds.keptAgain;
  return difference([...changedFields(olds, news, UPDATING), ...(hasMoved ? ['observed'] : []), ...(isKept ? ['keptAgain'] : [])], replaces);
}

const wishIn = (inputs: Props): OnEarlyRelease => storedLease(inputs).onEarlyRelease;

/** The state of a lease: inputs, and what the server reports. */
function stateOf(inputs: Props, lease: MacNodeLease): Props {
  const { __provider: _text, ...own } = inputs;
  return { ...own, ...leaseOutputs(lease), ...(inputs.statusInDiff === true ? { observed: observedOf(lease) } : {}) };
}

/** The state after a refresh. What the server says of the inputs wins, but for the forms that mean the same. */
function refreshed(named: Named, props: Props, lease: MacNodeLease): Props {
  const { spec } = lease;
  const serial = spec.serial === undefined ? {} : { serial: typeof props.serial === 'string' && props.serial.toLowerCase() === spec.serial.toLowerCase() ? props.serial : spec.serial };
  return {
    onEarlyRelease: 'refuse', ...pick(props, KEPT), ...named, leaseId: idOf(named), class: spec.class, minimumDuration: spec.minimumDuration, ...serial, ...leaseOutputs(lease),
  };
}

async function isKept({ core }: Session, target: LeaseTarget): Promise<boolean> {
  if (!target.adopt) return false;
  const lease = await core.plane.tryGet(Kinds.MacNodeLease, target);
  return lease !== null && phaseOf(lease) === 'Held' && factsOf(lease).keepable;
}

async function uidOf({ core }: Session, named: Named): Promise<string> {
  const look = await core.facts.lease(named);
  return look.seen ? look.value?.metadata.uid ?? '' : '';
}

/** The life of a lease in Pulumi. */
export function leaseMethods(log: EngineLog): Methods {
  return {
    check: (session, olds, news) => checkLeaseInputs(session, log, olds, news),
    diff: diffLease,
    async create({ core }, inputs) {
      const target = leaseTarget(inputs);
      const { object, findings } = await createLease(core, ALONE, target, patienceIn(inputs).create);
      await tellWarnings(log, findings, inputs);
      if (object === null) failFor(findings);
      if (object === null) throw new MethodError(`lease ${idOf(target)} was not made, and nobody said why`);
      await noteWish(core.plane, object, wishIn(inputs));
      failKeeping(findings, idOf(target), stateOf(inputs, object));
      return { id: idOf(target), outs: stateOf(inputs, object) };
    },
    async read(session, id, props) {
      const named = idIn(id);
      const uid = typeof props.uid === 'string' ? props.uid : '';
      const result = await readLease(session.core, { ...named, uid: uid === '' ? await uidOf(session, named) : uid });
      if (result.kind === 'unread') throw doubtful(result.findings);
      if (result.kind === 'found') {
        await tellDrift(log, result.findings, props);
        return { id, props: refreshed(named, props, result.object) };
      }
      if (uid === '') throw new MethodError(`LeaseNotFound: there is no lease ${id}. Correct the id, which is "namespace/name".`);
      return { id: '', props: {} };
    },
    async update(session, olds, news) {
      const target = leaseTarget(news);
      const { object, findings } = await updateLease(session.core, ALONE, target, storedLease(olds).uid, await isKept(session, target), patienceIn(news).update);
      await tellWarnings(log, findings, news);
      failFor(findings);
      if (object === null) return { outs: { ...olds, ...news } };
      await noteWish(session.core.plane, object, wishIn(news));
      return { outs: stateOf(news, object) };
    },
    async delete({ core }, props) {
      const findings = await deleteLease(core, ALONE, storedLease(props), patienceIn(props).delete);
      await tellWarnings(log, findings, props);
      failFor(findings);
    },
  };
}
