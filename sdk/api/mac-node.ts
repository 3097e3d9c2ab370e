import { z } from 'zod';
import { cel, type CelRule } from './cel';
import { conditionsSchema, timeSchema } from './condition';
import { CLASSES } from './phases';

const uid = z.string().max(64);

/** Written by the administrator: creating it enrols the Mac. There is no field for a number of machines. */
export const macNodeSpec = z.object({
  class: z.enum(CLASSES),
  serial: z.string().max(32).regex(/^[a-z0-9]{1,32}$/).describe('Serial number in lower case; also the name of the object.'),
  hardwareUUID: z.string().max(64).describe('Platform UUID of the Mac that was enrolled.'),
  cordoned: z.boolean().default(false).describe('The Mac takes no new lease. The lease that it has goes on, with its starts and restarts.'),
  retired: z.boolean().default(false).describe('The Mac has left service and will not answer: this counts as the wipe of its disks. It starts nothing until it is enrolled again.'),
}).meta(cel({ rule: 'self.serial == oldSelf.serial', message: 'macrack: the serial of a Mac does not change' }));

export const vmSchema = z.object({
  instanceUID: uid, podUID: uid, leaseUID: uid, bindingUID: uid,
  machineID: z.string().max(512), mac: z.string().max(17), ip: z.string().max(45).optional(),
  state: z.enum(['Starting', 'Running', 'Stopping']), startedAt: timeSchema,
});

export const diskSchema = z.object({ instanceUID: uid, bindingUID: uid, tenant: z.string().max(63) });

/** A line of the agent's journal. `vmCount` is the number of machines on the Mac after the event. */
export const journalEntrySchema = z.object({
  seq: z.int().min(1),
  event: z.enum(['Started', 'Stopped', 'Refused', 'Wiped']),
  at: timeSchema,
  instanceUID: uid, podUID: uid, leaseUID: uid, bindingUID: uid,
  tenant: z.string().max(63),
  machineID: z.string().max(512).optional(), mac: z.string().max(17).optional(),
  vmCount: z.int().min(0).max(1000),
  reason: z.string().max(64).optional(), message: z.string().max(1024).optional(),
});

/** Written by the agent alone. `vmCount` has no maximum of two: a breach must be reportable. */
export const macNodeStatus = z.object({
  nodeRef: z.string().max(63),
  agentEndpoint: z.string().max(255).describe('`https://host:port` of the agent, for the operator and for fleet operators.'),
  vmCount: z.int().min(0).max(1000),
  vms: z.array(vmSchema).max(100),
  disks: z.array(diskSchema).max(100),
  bindingUID: uid.describe('Claim that the agent serves.'),
  leaked: z.int().min(0).max(1000).describe('Machines that the kernel counts and nobody runs.'),
  hardwareUUID: z.string().max(64),
  lastSeen: timeSchema.describe('The last report of the agent, by the clock of the API server. A Mac that has not reported for 40 seconds takes no new lease.'),
  journalSeq: z.int().min(0),
  journal: z.array(journalEntrySchema).max(64),
  conditions: conditionsSchema,
}).partial();

/** Rules over the whole object: what the claim, the node and the certificate are named by is the serial. */
export const macNodeRules: readonly CelRule[] = [
  { rule: 'self.metadata.name == self.spec.serial', message: 'macrack: a MacNode is named by its serial, in lower case' },
  { rule: '!has(oldSelf.status) || has(self.status)', message: 'macrack: the status of a Mac cannot be removed' },
];

export type MacNodeSpec = z.infer<typeof macNodeSpec>;
export type MacNodeStatus = z.infer<typeof macNodeStatus>;
export type ReportedVm = z.infer<typeof vmSchema>;
export type ReportedDisk = z.infer<typeof diskSchema>;
export type JournalEntry = z.infer<typeof journalEntrySchema>;
