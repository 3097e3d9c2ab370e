import type { MacNodeLease } from '../../sdk/api/kinds';
import { floorOf } from '../../sdk/rules/duration';
import { isKnown } from '../../sdk/rules/unknown';
import { failure, warning, type Finding, type Findings, type ManagedKind } from './finding';
import { leaseSubject, phaseOf, type LeaseDeclaration } from './lease';
import { idOf, type Named } from './object-id';
import { titleOf } from './title';
import type { Wording } from './wording';

/** An object that nobody's state of this run holds: an interrupted create, or somebody else's. */
export function alreadyThere(wording: Wording, kind: ManagedKind, named: Named, what: string): Finding {
  const id = idOf(named);
  return {
    ...failure('AlreadyExists', 'name', `${kind} ${id} exists and is not in this state`, `The control plane has ${kind} ${id} (${what}); an interrupted run may have left it, or somebody else made it. It was not changed. ${wording.takeOver(kind)}, or choose another name.`),
    adoptable: { kind, id },
  };
}

type Wanted = Pick<LeaseDeclaration, 'class' | 'serial' | 'minimumDuration'>;

function differences(wanted: Wanted, { spec, status }: MacNodeLease): readonly (readonly [path: string, is: string])[] {
  const serial = (spec.serial ?? status?.chassis)?.toLowerCase();
  const found: (readonly [string, string])[] = [];
  if (isKnown(wanted.class) && wanted.class !== spec.class) found.push(['class', spec.class]);
  if (typeof wanted.serial === 'string' && wanted.serial.toLowerCase() !== serial) found.push(['serial', serial ?? 'not chosen yet']);
  if (isKnown(wanted.minimumDuration) && floorOf(wanted.minimumDuration) < floorOf(spec.minimumDuration)) found.push(['minimumDuration', spec.minimumDuration]);
  return found;
}

/** A lease may be taken over only if it is what the configuration asks for. */
export function adoptionMismatch(wanted: Wanted, lease: MacNodeLease): Findings {
  const id = idOf({ namespace: lease.metadata.namespace ?? '', name: lease.metadata.name });
  return differences(wanted, lease).map(([path, is]) =>
    failure('LeaseImmutable', path, `lease ${id} cannot be adopted`, `The lease on the control plane has another ${path}: ${is}. Adopting changes nothing that its floor protects. Set ${path} to that value, or choose another name.`));
}

/** What a preview says of a lease that it takes over. */
export function adoptionFindings(wanted: Wanted, lease: MacNodeLease): Findings {
  const mismatch = adoptionMismatch(wanted, lease);
  if (mismatch.length > 0 || phaseOf(lease) === 'Held') return mismatch;
  const named = { namespace: lease.metadata.namespace ?? '', name: lease.metadata.name };
  return [warning('Adopts', 'name', titleOf('Adopts', leaseSubject(named)), `Lease ${idOf(named)} exists (phase ${phaseOf(lease)}) and is taken into this state; its Mac and its floor do not change.`)];
}
