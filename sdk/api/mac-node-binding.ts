import { z } from 'zod';
import { cel } from './cel';
import { durationSchema } from './mac-node-lease';

/** The claim. Named by serial, so that a second one is a conflict; its server-stamped creationTimestamp is boundAt. */
export const macNodeBindingSpec = z.object({
  leaseNamespace: z.string().max(63),
  leaseName: z.string().max(63),
  leaseUID: z.string().max(64),
  namespaceUID: z.string().max(64).describe('UID of the tenant: a namespace made again under the name is another tenant.'),
  tenant: z.string().max(63),
  minimumDuration: durationSchema.default('24h'),
}).meta(cel({ rule: 'self == oldSelf', message: 'macrack: a claim does not change' }));

export type MacNodeBindingSpec = z.infer<typeof macNodeBindingSpec>;

/** Internal: its creationTimestamp is the time that policies compare with. */
export const clockSpec = z.object({});

export type ClockSpec = z.infer<typeof clockSpec>;
