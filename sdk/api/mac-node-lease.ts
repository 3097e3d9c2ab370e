import { z } from 'zod';
import { cel, type CelRule, setOnce, shortLabelName } from './cel';
import { conditionsSchema, timeSchema } from './condition';
import { SERIAL_PATTERN } from './names';
import { CLASSES, LEASE_PHASES } from './phases';

/** `^[0-9]+h$`, 24h to 8760h: the bounds are CEL, so that their message names the rule. */
export const durationSchema = z.string().max(5).regex(/^[0-9]+h$/).meta({
  format: 'duration',
  ...cel(
    { rule: "self >= duration('24h')", message: "macrack: minimumDuration is at least 24h: a lease lasts 24 consecutive hours (Apple's licence, section 3A(ii))" },
    { rule: "self <= duration('8760h')", message: 'macrack: minimumDuration is at most 8760h' },
  ),
});

const serialUnchanged = '(has(self.serial) ? self.serial.lowerAscii() : \'\') == (has(oldSelf.serial) ? oldSelf.serial.lowerAscii() : \'\')';

export const macNodeLeaseSpec = z.object({
  class: z.enum(CLASSES).describe('Class of the Mac.'),
  serial: z.string().max(32).regex(SERIAL_PATTERN).optional().describe('Pins one Mac by its serial number, in either case. The operator never writes it.'),
  minimumDuration: durationSchema.default('24h').describe('Shortest duration of the lease in whole hours, 24h to 8760h. It can be raised, never lowered.'),
  release: z.boolean().default(false).describe('Asks for the release: Released past the floor, Held before it.'),
}).meta(cel(
  { rule: 'self.class == oldSelf.class', message: 'macrack: the class of a lease cannot be changed; lease another Mac' },
  { rule: serialUnchanged, message: 'macrack: the serial of a lease cannot be changed; lease another Mac' },
  { rule: '!has(oldSelf.minimumDuration) || (has(self.minimumDuration) && self.minimumDuration >= oldSelf.minimumDuration)', message: 'macrack: minimumDuration only grows' },
));

const slotsSchema = z.object({
  total: z.int().min(0).max(2),
  used: z.int().min(0).max(1000),
  leaked: z.int().min(0).max(1000),
});

export const macNodeLeaseStatus = z.object({
  phase: z.enum(LEASE_PHASES),
  chassis: z.string().max(32).describe('Serial of the Mac that is bound.'),
  node: z.string().max(63),
  bindingUID: z.string().max(64),
  boundAt: timeSchema.describe('Creation stamp of the claim.'),
  earliestReleaseAt: timeSchema.describe('End of the floor: boundAt plus the larger of 24h and minimumDuration.'),
  heldSince: timeSchema,
  releaseRequestedAt: timeSchema,
  releasedAt: timeSchema,
  slots: slotsSchema,
  lastSeen: timeSchema.describe("The last report of the Mac's agent when this status was written; written along with another change only, so the Mac may have reported since."),
  observedGeneration: z.int().min(0),
  reason: z.string().max(64),
  message: z.string().max(2048),
  conditions: conditionsSchema,
}).partial().meta(cel(
  setOnce('boundAt'),
  setOnce('bindingUID'),
  setOnce('chassis'),
  { rule: '!has(oldSelf.earliestReleaseAt) || (has(self.earliestReleaseAt) && self.earliestReleaseAt >= oldSelf.earliestReleaseAt)', message: 'macrack: earliestReleaseAt only moves later' },
  { rule: "!has(self.boundAt) || (has(self.earliestReleaseAt) && self.earliestReleaseAt - self.boundAt >= duration('24h'))", message: "macrack: earliestReleaseAt is at least 24h after boundAt (Apple's licence, section 3A(ii))" },
  { rule: "!has(self.phase) || self.phase != 'Released' || !has(self.boundAt) || (has(self.releasedAt) && has(self.earliestReleaseAt) && self.releasedAt >= self.earliestReleaseAt)", message: 'macrack: a bound lease is Released at or after earliestReleaseAt' },
  { rule: "!has(self.boundAt) || !has(self.phase) || !(self.phase in ['Pending', 'Binding'])", message: 'macrack: a bound lease does not go back to Pending or Binding' },
  { rule: "!has(oldSelf.phase) || oldSelf.phase != 'Released' || (has(self.phase) && self.phase == 'Released')", message: 'macrack: Released is final' },
));

/** Rules over the whole object: its name, status cannot be dropped, a release is taken back only while Held, and a floor that has passed begins no more. */
export const macNodeLeaseRules: readonly CelRule[] = [
  shortLabelName('a lease'),
  { rule: '!has(oldSelf.status) || has(self.status)', message: 'macrack: the status of a lease cannot be removed' },
  { rule: "!oldSelf.spec.release || self.spec.release || (has(oldSelf.status) && has(oldSelf.status.phase) && oldSelf.status.phase in ['Bound', 'Held'])", message: 'macrack: a release can be taken back only while the lease is Held' },
  { rule: "!has(oldSelf.status) || !has(oldSelf.status.phase) || !(oldSelf.status.phase in ['Releasing', 'Released']) || (has(self.spec.minimumDuration) ? self.spec.minimumDuration : duration('24h')) == (has(oldSelf.spec.minimumDuration) ? oldSelf.spec.minimumDuration : duration('24h'))", message: 'macrack: the minimumDuration of a lease that is Releasing or Released cannot be raised: its floor has passed' },
];

export type MacNodeLeaseSpec = z.infer<typeof macNodeLeaseSpec>;
export type MacNodeLeaseStatus = z.infer<typeof macNodeLeaseStatus>;
