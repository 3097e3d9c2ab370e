import { z } from 'zod';
import { journalEntrySchema } from '../../sdk/api/mac-node';

/** Whose machine it is: the facts of its pod when it was started. */
export const runFactsSchema = z.object({
  instanceUID: z.string(),
  /** Names are for people. */
  instance: z.string(),
  pod: z.string(),
  podUID: z.string(),
  leaseUID: z.string(),
  bindingUID: z.string(),
  /** Namespace of the pod. */
  tenant: z.string(),
  graceSeconds: z.number(),
});

const identitySchema = z.object({ machineID: z.string(), mac: z.string() });

/** Why a machine is stopped on purpose, or went by itself. */
export const causeSchema = z.object({ reason: z.string(), message: z.string() });

/**
 * What a line of the file says. Intents are written before the hypervisor is touched and stay on the Mac; events are also published
 * and carry a sequence number of their own without gaps. `Probe` says only that the file can be written again.
 */
const bodySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('CreateIntent'), run: runFactsSchema }),
  z.object({ kind: z.literal('StartIntent'), run: runFactsSchema, identity: identitySchema }),
  z.object({ kind: z.literal('StopIntent'), podUID: z.string(), cause: causeSchema }),
  z.object({ kind: z.literal('Event'), entry: journalEntrySchema, leaked: z.number().optional() }),
  z.object({ kind: z.literal('Probe') }),
]);

/** `line` counts from 1 without gaps: a missing line shows. `boot` is the boot of the Mac in which it was written. */
export const journalLineSchema = z.object({ line: z.number(), boot: z.string(), body: bodySchema });

export type RunFacts = z.infer<typeof runFactsSchema>;
export type Cause = z.infer<typeof causeSchema>;
export type LineBody = z.infer<typeof bodySchema>;
export type JournalLine = z.infer<typeof journalLineSchema>;
