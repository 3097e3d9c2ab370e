import { isFresh } from '../../operator/reconcile/node/report';
import { floorEnd } from '../../operator/reconcile/claim/floor';
import { Kinds, type MacNode, type MacNodeBinding } from '../../sdk/api/kinds';
import { Annotation } from '../../sdk/api/names';
import { formatInstant, type Instant } from '../../sdk/rules/instant';
import { changeMac, macOf, onFleet, tell, type AccessOptions } from './access';
import { revokeToken } from './bootstrap-token';

/** A Mac that answers wipes itself, and nobody's word counts instead. @throws Error */
function refuseAnswering(macNode: MacNode, claim: MacNodeBinding | null, now: Instant): void {
  if (macNode.spec.retired || claim === null || !isFresh(macNode, now)) return;
  const { name } = macNode.metadata;
  throw new Error(`Mac ${name} is leased and its agent reports (last at ${macNode.status?.lastSeen ?? ''}): it wipes itself at the end of the lease. Keep it from the next one with macrack mac cordon ${name}, and retire it then; a Mac that must not be believed is switched off first`);
}

function sentence(serial: string, claim: MacNodeBinding | null): string {
  const lease = claim === null
    ? 'It was not leased; its node goes now.'
    : `Lease ${claim.spec.leaseNamespace}/${claim.spec.leaseName} has it, and is billed, until its floor at ${formatInstant(floorEnd(claim))} at the earliest; when it is released, it ends without an answer of the Mac, and node and pods go.`;
  return `Mac ${serial} is retired: it takes no lease, starts nothing, and its disks count as wiped, which is your word. ${lease} Bring it back with macrack mac enrol ${serial}.`;
}

/** Takes a Mac out of service that will not answer any more: your word counts as its wipe. */
export async function retire(serial: string, options: AccessOptions): Promise<void> {
  await onFleet(options, async (plane) => {
    const [macNode, claim, now] = await Promise.all([macOf(plane, serial), plane.tryGet(Kinds.MacNodeBinding, { name: serial }), plane.serverTime()]);
    refuseAnswering(macNode, claim, now);
    const enrolment = macNode.metadata.annotations?.[Annotation.Enrolment];
    if (!macNode.spec.retired) await changeMac(plane, macNode, { spec: { retired: true }, metadata: { annotations: { [Annotation.Enrolment]: null } } });
    if (enrolment !== undefined) await revokeToken(plane, enrolment);
    tell(options, { serial, retired: true, ...(claim === null ? {} : { lease: `${claim.spec.leaseNamespace}/${claim.spec.leaseName}`, earliestReleaseAt: formatInstant(floorEnd(claim)) }) }, sentence(serial, claim));
  });
}
