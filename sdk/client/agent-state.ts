import { z } from 'zod';
import { journalEntrySchema } from '../api/mac-node';
import type { AgentState } from './agent-reader';

/** `GET /v1/capacity`. */
export const agentCapacitySchema = z.object({ max: z.number(), running: z.number(), kernelQuota: z.number() });

/** `GET /v1/state`: all that an irreversible step asks, read in one go. */
export const agentStateSchema = z.object({
  serial: z.string(),
  hardwareUUID: z.string(),
  bootID: z.string(),
  bindingUID: z.string().optional(),
  capacity: agentCapacitySchema,
  vms: z.array(z.object({ name: z.string(), instanceUID: z.string().optional(), machineID: z.string(), mac: z.string(), state: z.string() })),
  disks: z.array(z.object({ instanceUID: z.string() })),
});

/** A machine or a bundle of a Mac. Without `instanceUID` it is none of ours; without `podUID` the journal does not know who started it. */
export const agentInstanceSchema = z.object({
  name: z.string(),
  instanceUID: z.string().optional(),
  machineID: z.string(),
  mac: z.string(),
  ip: z.string().optional(),
  state: z.enum(['Starting', 'Running', 'Stopping', 'Stopped']),
  podUID: z.string().optional(),
  leaseUID: z.string().optional(),
  bindingUID: z.string().optional(),
  tenant: z.string().optional(),
});

/** `GET /v1/instances`. */
export const agentInstancesSchema = z.object({ instances: z.array(agentInstanceSchema) });

/** `GET /v1/journal?after=N`: entries with a greater number, oldest first; `seq` is the newest number that there is. */
export const agentJournalSchema = z.object({ seq: z.number(), entries: z.array(journalEntrySchema) });

/** `GET /v1/audit-head`: what the operator handed out, oldest first, at most the last hundred. */
export const auditHeadsSchema = z.object({ heads: z.array(z.record(z.string(), z.unknown())) });

export type AgentCapacity = z.infer<typeof agentCapacitySchema>;
export type AgentInstance = z.infer<typeof agentInstanceSchema>;
export type AgentJournal = z.infer<typeof agentJournalSchema>;
export type AuditHeads = z.infer<typeof auditHeadsSchema>;

/** Reads an answer as the state of a Mac. Throws ZodError. */
export function parseAgentState(answer: unknown): AgentState {
  const { bindingUID, vms, ...rest } = agentStateSchema.parse(answer);
  return {
    ...rest, ...(bindingUID === undefined ? {} : { bindingUID }),
    vms: vms.map(({ instanceUID, ...vm }) => ({ ...vm, ...(instanceUID === undefined ? {} : { instanceUID }) })),
  };
}
