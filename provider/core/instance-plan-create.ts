import { Kinds, type MacOSInstance } from '../../sdk/api/kinds';
import { isKnown } from '../../sdk/rules/unknown';
import { both } from '../../sdk/rules/verdict';
import type { Call, Core } from './core';
import { createdTwice } from './created-twice';
import { dryRunFindings } from './dry-run';
import { auxiliaryFault } from './fault-findings';
import { hasFailures, warning, type Findings } from './finding';
import { previewNotes } from './preview-notes';
import { instancePhase, instanceSubject, sizesOf, type InstanceDeclaration, type InstanceTarget } from './instance';
import { instanceBody } from './instance-body';
import { placeInstance } from './instance-placement';
import { judgeCreate } from './instance-slots';
import { phaseOf } from './lease';
import { alreadyThere } from './lease-adopt';
import { idOf, tryName, tryParseId, type Named } from './object-id';
import { isOwnedBy } from './ownership';
import { maybeSubject } from './title';
import { unseenReplacement } from './unseen-replacement';
import { findingsOf, unknownFindings } from './verdict-findings';

/** Other resources of this run may free what these reasons rest on, so a dry run over them is advice. */
const ADVISORY = ['ThirdInstance', 'ShapeTooLarge'] as const;

function existingFindings(core: Core, { owner }: InstanceDeclaration, named: Named, instance: MacOSInstance | null): Findings {
  const isOurs = instance === null || isOwnedBy(instance, owner) || core.run.wasRead('instance', idOf(named), instance.metadata.uid);
  if (isOurs || core.run.walk === 'apply') return [];
  if (instance.metadata.deletionTimestamp !== undefined) return [warning('NotChecked', 'name', `the name ${idOf(named)} is being freed`, 'The instance that has the name is being deleted. Apply waits until it is gone, at most for the create timeout.')];
  return [alreadyThere(core.wording, 'instance', named, `phase ${instancePhase(instance)}, on lease ${instance.spec.leaseName}`)];
}

function targetOf(declaration: InstanceDeclaration, named: Named): InstanceTarget | undefined {
  const { lease, image, shape, running, owner } = declaration;
  if (!isKnown(lease) || !isKnown(image) || !isKnown(shape) || !isKnown(running)) return undefined;
  const { cpu, memory, disk } = shape;
  if (!isKnown(cpu) || !isKnown(memory) || !isKnown(disk)) return undefined;
  return { ...named, lease, image, shape: { cpu, memory, disk }, running, awaitIp: false, owner };
}

/** Only a lease that is Bound already lets the control plane judge an instance. */
async function dryRun(core: Core, declaration: InstanceDeclaration, named: Named, lease: Named): Promise<Findings> {
  const target = targetOf(declaration, named);
  const look = await core.facts.lease(lease);
  if (target === undefined || !look.seen || look.value === null || phaseOf(look.value) !== 'Bound') return [];
  return dryRunFindings(core, Kinds.MacOSInstance, instanceBody(target), instanceSubject(named, idOf(lease)), ADVISORY);
}

async function placedFindings(core: Core, call: Call, declaration: InstanceDeclaration, named: Named, lease: Named): Promise<Findings> {
  const subject = instanceSubject(named, idOf(lease));
  const look = await core.facts.instance(named);
  const existing = look.seen ? look.value : null;
  const unseen = look.seen ? [] : [...auxiliaryFault(look.error, `instances of namespace ${named.namespace}`, core.run), ...unseenReplacement(core, 'instance', named)];
  core.run.declareInstance(idOf(lease), idOf(named), { fate: 'create', shape: sizesOf(declaration.shape), failed: false });
  const slots = await judgeCreate(core, call, lease);
  const found = [...unseen, ...existingFindings(core, declaration, named, existing), ...findingsOf(slots, subject)];
  const canAsk = existing === null && core.run.walk !== 'apply' && !hasFailures(found);
  return canAsk ? [...found, ...await dryRun(core, declaration, named, lease)] : found;
}

/** What a preview says of an instance that is to be made: whose Mac it asks for, whether a slot is free, and whether it fits. */
export async function planInstanceCreate(core: Core, call: Call, declaration: InstanceDeclaration): Promise<Findings> {
  const { namespace, name, lease: leaseId } = declaration;
  const subject = maybeSubject('instance', namespace, name);
  const lease = isKnown(leaseId) ? tryParseId(leaseId) : undefined;
  const named = tryName(namespace, name);
  const twice = named === undefined ? [] : createdTwice(core, 'instance', named);
  if (twice.length > 0) return twice;
  if (lease === undefined) return unknownFindings(['its lease, and with it whose Mac it asks for and whether a slot is free'], subject, 'lease');
  if (named === undefined) {
    const hole = isKnown(name) ? 'namespace' : 'name';
    return unknownFindings([`its ${hole}, and with it ${hole === 'name' ? 'whether it is a third instance' : 'whether it may use that lease'}`], subject, hole);
  }
  const general = await previewNotes(core, named.namespace);
  const { verdict, findings } = await placeInstance(core, call, named, lease);
  const placed = [...general, ...findings, ...findingsOf(both(verdict), instanceSubject(named, idOf(lease)))];
  return hasFailures(placed) ? placed : [...placed, ...await placedFindings(core, call, declaration, named, lease)];
}
