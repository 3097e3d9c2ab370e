import { z } from 'zod';
import { cel, type CelRule } from './cel';
import { durationSchema } from './mac-node-lease';
import { CLOCK_NAME } from './names';

/** The claim. Named by serial, so that a second one is a conflict; its server-stamped creationTimestamp is boundAt. */
export const macNodeBindingSpec = z.object({
  leaseNamespace: z.string().max(63),
  leaseName: z.string().max(63),
  leaseUID: z.string().max(64),
  namespaceUID: z.string().max(64).describe('UID of the tenant: a namespace made again under the name is another tenant.'),
  tenant: z.string().max(63),
  minimumDuration: durationSchema.default('24h'),
}).meta(cel({ rule: 'self == oldSelf', message: 'macrack: a claim does not change' }));

/** Rules over the whole object. One name a Mac: a second spelling of a serial would be a second claim on it. */
export const macNodeBindingRules: readonly CelRule[] = [
  { rule: "self.metadata.name.matches('^[a-z0-9]+$') && self.metadata.name.size() <= 32", message: 'macrack: a claim is named by the serial of its Mac, in lower case' },
];

export type MacNodeBindingSpec = z.infer<typeof macNodeBindingSpec>;

/** Internal: its creationTimestamp is the time that policies compare with. */
export const clockSpec = z.object({});

export const clockRules: readonly CelRule[] = [
  { rule: `self.metadata.name == '${CLOCK_NAME}'`, message: `macrack: there is one Clock, named ${CLOCK_NAME}` },
];

export type ClockSpec = z.infer<typeof clockSpec>;
