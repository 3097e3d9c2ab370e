import type { MacNode, MacNodeBinding } from '../../sdk/api/kinds';
import type { ClassName } from '../../sdk/api/phases';

/** What the administrator says of the Mac; what is left out stays as it was enrolled. */
export interface AskedEnrolment {
  readonly serial: string;
  readonly class?: ClassName;
  readonly hardwareUUID?: string;
  /** The logic board was changed: another hardware UUID under the same serial. */
  readonly replaceHardware: boolean;
}

export interface PlannedSpec { readonly class: ClassName; readonly serial: string; readonly hardwareUUID: string; readonly retired: false }

/** `isNew`: the Mac gets a new token whatever became of the last one, since it is not the Mac that the last one was for. */
export interface EnrolmentPlan { readonly spec: PlannedSpec; readonly isNew: boolean; readonly isChanged: boolean }

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function planFirst({ serial, class: className, hardwareUUID }: AskedEnrolment): EnrolmentPlan {
  if (className === undefined || hardwareUUID === undefined) throw new Error(`Mac ${serial} is not enrolled yet: its first enrolment takes --class and --hardware-uuid`);
  return { spec: { class: className, serial, hardwareUUID, retired: false }, isNew: true, isChanged: true };
}

/** What enrolling comes to. @throws Error for what would change a Mac that somebody may be using */
export function planEnrolment(asked: AskedEnrolment, macNode: MacNode | null, claim: MacNodeBinding | null): EnrolmentPlan {
  if (macNode === null) return planFirst(asked);
  const { serial, class: className = macNode.spec.class, hardwareUUID = macNode.spec.hardwareUUID, replaceHardware } = asked;
  const isOther = !isSame(hardwareUUID, macNode.spec.hardwareUUID);
  if (isOther && !replaceHardware) {
    throw new Error(`Mac ${serial} was enrolled with hardware UUID ${macNode.spec.hardwareUUID}: if its logic board was changed, add --replace-hardware; the former hardware gets no certificate any more`);
  }
  if (className !== macNode.spec.class && claim !== null) throw new Error(`Mac ${serial} is leased as class ${macNode.spec.class}: its class can be changed when that lease is released`);
  const isChanged = isOther || className !== macNode.spec.class || macNode.spec.retired;
  return { spec: { class: className, serial, hardwareUUID: isOther ? hardwareUUID : macNode.spec.hardwareUUID, retired: false }, isNew: isOther || macNode.spec.retired, isChanged };
}
