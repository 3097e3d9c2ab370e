import { z } from 'zod';
import { conditionsSchema, timeSchema } from './condition';
import { shapeSchema } from './mac-os-instance';

/** What one chassis of the class has; a lease's shapes together must fit it. */
export const macClassSpec = shapeSchema;

/** Readable by tenants: counts only, no names, and the next release rounded up to the hour. */
export const macClassStatus = z.object({
  total: z.int().min(0).describe('Macs of the class that are enrolled; a retired one counts until its lease has ended.'),
  unleased: z.int().min(0).describe('Macs that could be leased now: they report, are empty, and are not cordoned. The three counts need not add up to the total.'),
  leased: z.int().min(0).describe('Macs under a lease that is not Held.'),
  held: z.int().min(0).describe('Macs under a lease that was released early: billed until its floor.'),
  nextReleaseAt: timeSchema.describe('When the next Mac of the class may come free, rounded up to the hour; of leases that are Held or Releasing only. Absent where there is none.'),
  conditions: conditionsSchema.describe('TamperProof: no administrator of the cluster can take the policies away. OperatorReady: leases are bound and released.'),
}).partial();

export type MacClassSpec = z.infer<typeof macClassSpec>;
export type MacClassStatus = z.infer<typeof macClassStatus>;
