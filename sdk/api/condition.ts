import { z } from 'zod';

/** A Kubernetes condition. `lastTransitionTime` is RFC 3339. */
export const conditionSchema = z.object({
  type: z.string().max(64),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string().max(64),
  message: z.string().max(2048),
  lastTransitionTime: z.string().max(40).meta({ format: 'date-time' }),
});

export type StatusCondition = z.infer<typeof conditionSchema>;

export const conditionsSchema = z.array(conditionSchema).max(16).meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] });

/** An instant as the API carries it. */
export const timeSchema = z.string().max(40).meta({ format: 'date-time' });
