import type { Breach, Evidence, Law } from './evidence';
import { floor, noLeaseLost } from './lease-laws';
import { noMacStuck } from './mac-laws';
import { oneTenant, twoMachines } from './machine-laws';
import { noGapInTheRecord } from './record-laws';

const LAW_BOOK: Readonly<Record<Law, (evidence: Evidence) => Breach[]>> = {
  TwoMachines: twoMachines, OneTenant: oneTenant, Floor: floor, NoLeaseLost: noLeaseLost, NoMacStuck: noMacStuck, NoGapInTheRecord: noGapInTheRecord,
};

/** Every breach of what must hold whatever fails and whoever dies. Pure. */
export function judge(evidence: Evidence): Breach[] {
  return Object.values(LAW_BOOK).flatMap((law) => law(evidence));
}
