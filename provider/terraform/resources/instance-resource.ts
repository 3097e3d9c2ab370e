import { Kinds, type MacOSInstance } from '../../../sdk/api/kinds';
import type { Applied } from '../../core/applied';
import { checkInstance } from '../../core/instance-check';
import { createInstance } from '../../core/instance-create';
import { deleteInstance } from '../../core/instance-delete';
import { planInstanceCreate } from '../../core/instance-plan-create';
import { planInstanceDelete } from '../../core/instance-plan-delete';
import { planInstanceUpdate } from '../../core/instance-plan-update';
import { readInstance } from '../../core/instance-read';
import { tryName } from '../../core/object-id';
import { tornApart } from '../../core/torn-apart';
import { updateInstance } from '../../core/instance-update';
import { TERRAFORM } from '../../core/wording';
import { hasErrors } from '../diagnostics';
import type { ApplyRequest, CallContext, PlanRequest, PlanResponse, ResourceHandler, StateResponse } from '../handlers';
import { attributePath, createDiagnostics, planDiagnostics, taintedDiagnostics, toDiagnostics } from './finding-diagnostics';
import { maybe } from './holes';
import { findForImport } from './import-object';
import { appliedState, declarationOf, importedState, plannedInstance, refreshedState, resolveInstance, settingsState, shapeOf, storedOf, targetOf } from './instance-row';
import { instanceSchema, type InstancePlanned, type InstanceStored } from './instance-schema';
import { callOf, type Session, type Sessions } from './session';
import { checkTimeouts, patienceOf } from './timeouts';

type S = typeof instanceSchema;

async function plan({ core }: Session, { prior, config }: PlanRequest<S>, ctx: CallContext): Promise<PlanResponse<S>> {
  if (config === null) return { planned: null, diagnostics: prior === null ? [] : toDiagnostics([...tornApart(core, 'instance', storedOf(prior), 'destroy'), ...await planInstanceDelete(core, storedOf(prior))]) };
  const row = resolveInstance(config, prior);
  const declared = declarationOf(row);
  const named = tryName(declared.namespace, declared.name);
  const torn = named === undefined ? [] : tornApart(core, 'instance', named, 'have');
  if (torn.length > 0) return { planned: plannedInstance(row, prior, true), diagnostics: toDiagnostics(torn) };
  if (prior === null) {
    return { planned: plannedInstance(row, null, true), diagnostics: planDiagnostics(await planInstanceCreate(core, callOf(ctx), declared), core.run.walk) };
  }
  const { findings, replaces, writes } = await planInstanceUpdate(core, storedOf(prior), declared);
  return { planned: plannedInstance(row, prior, writes), requiresReplace: replaces.map(attributePath), diagnostics: planDiagnostics(findings, core.run.walk) };
}

function created(row: InstancePlanned, applied: Applied<MacOSInstance>): StateResponse<S> {
  const state = applied.object === null ? null : appliedState(row, applied.object);
  return { state, diagnostics: state === null ? createDiagnostics(applied.findings) : taintedDiagnostics(applied.findings) };
}

async function remove({ core }: Session, prior: InstanceStored, ctx: CallContext): Promise<StateResponse<S>> {
  const diagnostics = toDiagnostics(await deleteInstance(core, callOf(ctx), storedOf(prior), patienceOf(prior.timeouts).delete));
  return { state: hasErrors(diagnostics) ? prior : null, diagnostics };
}

async function apply(session: Session, { prior, planned }: ApplyRequest<S>, ctx: CallContext): Promise<StateResponse<S>> {
  const { core } = session;
  if (planned === null) return prior === null ? { state: null } : remove(session, prior, ctx);
  const target = targetOf(planned);
  const patience = patienceOf(planned.timeouts as InstanceStored['timeouts']);
  if (prior === null) return created(planned, await createInstance(core, callOf(ctx), target, patience.create));
  const { uid, running } = storedOf(prior);
  // Settings of the tool alone: the control plane does not know them.
  if (target.running === running) return { state: settingsState(prior, planned) };
  const applied = await updateInstance(core, callOf(ctx), target, uid, patience.update);
  return { state: applied.object === null ? prior : appliedState(planned, applied.object), diagnostics: toDiagnostics(applied.findings) };
}

/** The life of an instance in Terraform. */
export function instanceResource(sessions: Sessions): ResourceHandler<S> {
  return {
    schema: instanceSchema,
    validate({ namespace, name, lease, image, shape, timeouts }) {
      sessions.validating();
      const found = checkInstance({ namespace: maybe(namespace), name: maybe(name), lease: maybe(lease), image: maybe(image), shape: shapeOf(shape) }, TERRAFORM);
      return Promise.resolve([...toDiagnostics(found), ...checkTimeouts(timeouts)]);
    },
    plan: (request, ctx) => plan(sessions.current(), request, ctx),
    apply: (request, ctx) => apply(sessions.current(), request, ctx),
    async read({ state }) {
      const { namespace, name, uid } = storedOf(state);
      const result = await readInstance(sessions.current().core, { namespace, name, uid });
      const diagnostics = toDiagnostics(result.findings);
      switch (result.kind) {
        case 'gone': return { state: null, diagnostics };
        case 'unread': return { state, diagnostics };
        case 'found': return { state: refreshedState(state, result.object), diagnostics };
      }
    },
    import: (id) => findForImport(sessions.current().core, Kinds.MacOSInstance, 'instance', id, importedState),
  };
}
