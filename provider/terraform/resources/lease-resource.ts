import { Kinds } from '../../../sdk/api/kinds';
import { checkLease } from '../../core/lease-check';
import { createLease } from '../../core/lease-create';
import { deleteLease } from '../../core/lease-delete';
import { planLeaseCreate } from '../../core/lease-plan-create';
import { planLeaseDelete } from '../../core/lease-plan-delete';
import { planLeaseUpdate } from '../../core/lease-plan-update';
import { readLease } from '../../core/lease-read';
import { tryName } from '../../core/object-id';
import { tornApart } from '../../core/torn-apart';
import { updateLease } from '../../core/lease-update';
import type { Applied } from '../../core/applied';
import type { MacNodeLease } from '../../../sdk/api/kinds';
import { hasErrors } from '../diagnostics';
import type { ApplyRequest, CallContext, PlanRequest, PlanResponse, ResourceHandler, StateResponse } from '../handlers';
import { attributePath, createDiagnostics, planDiagnostics, replacementDiagnostics, taintedDiagnostics, toDiagnostics } from './finding-diagnostics';
import { maybe } from './holes';
import { findForImport } from './import-object';
import { appliedState, declarationOf, importedState, plannedLease, refreshedState, resolveLease, settingsState, storedOf, targetOf } from './lease-row';
import { leaseSchema, type LeaseStored } from './lease-schema';
import { callOf, type Session, type Sessions } from './session';
import { checkTimeouts, patienceOf } from './timeouts';

type S = typeof leaseSchema;

async function plan(session: Session, { prior, config }: PlanRequest<S>, ctx: CallContext): Promise<PlanResponse<S>> {
  const { core, namespace } = session;
  if (config === null) return { planned: null, diagnostics: prior === null ? [] : toDiagnostics([...tornApart(core, 'lease', storedOf(prior), 'destroy'), ...await planLeaseDelete(core, storedOf(prior))]) };
  const row = resolveLease(config, prior, namespace);
  const declared = declarationOf(row);
  const named = tryName(declared.namespace, declared.name);
  const torn = named === undefined ? [] : tornApart(core, 'lease', named, 'have');
  if (torn.length > 0) return { planned: plannedLease(row, prior, true), diagnostics: toDiagnostics(torn) };
  if (prior === null) {
    return { planned: plannedLease(row, null, true), diagnostics: replacementDiagnostics(await planLeaseCreate(core, callOf(ctx), declared), core.run.walk) };
  }
  const { findings, replaces, writes } = await planLeaseUpdate(core, storedOf(prior), declared);
  return { planned: plannedLease(row, prior, writes), requiresReplace: replaces.map(attributePath), diagnostics: planDiagnostics(findings, core.run.walk) };
}

function created(row: ApplyRequest<S>['planned'] & object, applied: Applied<MacNodeLease>): StateResponse<S> {
  const state = applied.object === null ? null : appliedState(row, applied.object);
  return { state, diagnostics: state === null ? createDiagnostics(applied.findings) : taintedDiagnostics(applied.findings) };
}

async function release(session: Session, prior: LeaseStored, ctx: CallContext): Promise<StateResponse<S>> {
  const diagnostics = toDiagnostics(await deleteLease(session.core, callOf(ctx), storedOf(prior), patienceOf(prior.timeouts).delete));
  return { state: hasErrors(diagnostics) ? prior : null, diagnostics };
}

const isKept = (prior: LeaseStored, adopt: boolean): boolean => adopt && prior.phase === 'Held';

async function apply(session: Session, { prior, planned }: ApplyRequest<S>, ctx: CallContext): Promise<StateResponse<S>> {
  const { core } = session;
  if (planned === null) return prior === null ? { state: null } : release(session, prior, ctx);
  const target = targetOf(planned);
  const patience = patienceOf(planned.timeouts as LeaseStored['timeouts']);
  if (prior === null) return created(planned, await createLease(core, callOf(ctx), target, patience.create));
  const { uid, ...inputs } = storedOf(prior);
  const keep = isKept(prior, target.adopt);
  // Settings of the tool alone: the control plane does not know them.
  if (!keep && target.minimumDuration === inputs.minimumDuration) return { state: settingsState(prior, planned) };
  const applied = await updateLease(core, callOf(ctx), target, uid, keep, patience.update);
  return { state: applied.object === null ? prior : appliedState(planned, applied.object), diagnostics: toDiagnostics(applied.findings) };
}

/** The life of a lease in Terraform. */
export function leaseResource(sessions: Sessions): ResourceHandler<S> {
  return {
    schema: leaseSchema,
    validate(config) {
      sessions.validating();
      const { namespace, name, class: className, serial, minimum_duration, on_early_release, timeouts } = config;
      const found = checkLease({
        namespace: maybe(namespace), name: maybe(name), class: maybe(className), serial: maybe(serial),
        minimumDuration: maybe(minimum_duration), onEarlyRelease: maybe(on_early_release),
      });
      return Promise.resolve([...toDiagnostics(found), ...checkTimeouts(timeouts)]);
    },
    plan: (request, ctx) => plan(sessions.current(), request, ctx),
    apply: (request, ctx) => apply(sessions.current(), request, ctx),
    async read({ state }) {
      const { namespace, name, uid } = storedOf(state);
      const result = await readLease(sessions.current().core, { namespace, name, uid });
      const diagnostics = toDiagnostics(result.findings);
      switch (result.kind) {
        case 'gone': return { state: null, diagnostics };
        case 'unread': return { state, diagnostics };
        case 'found': return { state: refreshedState(state, result.object), diagnostics };
      }
    },
    import: (id) => findForImport(sessions.current().core, Kinds.MacNodeLease, 'lease', id, importedState),
  };
}
