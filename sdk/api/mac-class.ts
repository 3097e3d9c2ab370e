import { z } from 'zod';
import { conditionsSchema, timeSchema } from './condition';
import { shapeSchema } from './mac-os-instance';

/** What one chassis of the class has; a lease's shapes together must fit it. */
export const macClassSpec = shapeSchema;

/** Readable by tenants: counts only, no names, and the next release rounded up to the hour. */
export const macClassStatus = z.object({
  total: z.int().min(0),
  unleased: z.int().min(0),
  leased: z.int().min(0),
  held: z.int().min(0),
  nextReleaseAt: timeSchema,
  conditions: conditionsSchema.describe('TamperProof: no administrator of the cluster can take the policies away. OperatorReady: leases are bound and released.'),
}).partial();

export type MacClassSpec = z.infer<typeof macClassSpec>;
export type MacClassStatus = z.infer<typeof macClassStatus>;
