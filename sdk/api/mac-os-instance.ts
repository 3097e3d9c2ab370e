import { z } from 'zod';
import { cel, type CelRule, setOnce, shortLabelName } from './cel';
import { conditionsSchema, timeSchema } from './condition';
import { IMAGE_PATTERN, LONGEST_IMAGE } from './image';
import { LONGEST_NAME, NAME_PATTERN } from './names';
import { INSTANCE_PHASES } from './phases';

const bytesSchema = z.string().max(24).regex(/^[0-9]+(\.[0-9]+)?(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)?$/);

export const shapeSchema = z.object({
  cpu: z.int().min(1).max(256).describe('Cores, a whole number.'),
  memory: bytesSchema.describe('Memory as a quantity, for example 8Gi.'),
  disk: bytesSchema.describe('Disk as a quantity, for example 60Gi.'),
});

export const macOSInstanceSpec = z.object({
  leaseName: z.string().max(LONGEST_NAME).regex(NAME_PATTERN).describe('Lease of the same namespace on whose Mac the instance runs.'),
  image: z.string().max(LONGEST_IMAGE).regex(IMAGE_PATTERN).describe('OCI reference of the macOS image.'),
  shape: shapeSchema,
  running: z.boolean().default(true).describe('False stops the machine; it keeps its slot and disk.'),
}).meta(cel(
  { rule: 'self.leaseName == oldSelf.leaseName', message: 'macrack: an instance stays with its lease; delete it and create another' },
  { rule: 'self.image == oldSelf.image', message: 'macrack: the image of an instance cannot be changed; delete it and create another' },
  { rule: 'self.shape == oldSelf.shape', message: 'macrack: the shape of an instance cannot be changed; delete it and create another' },
));

export const macOSInstanceStatus = z.object({
  phase: z.enum(INSTANCE_PHASES),
  reason: z.string().max(64),
  message: z.string().max(2048),
  slot: z.int().min(0).max(1),
  podRef: z.string().max(130),
  node: z.string().max(63),
  machineID: z.string().max(512),
  mac: z.string().max(17),
  ip: z.string().max(45),
  lastSeen: timeSchema.describe("The last report of the Mac's agent when this status was written; written along with another change only, so the Mac may have reported since."),
  observedGeneration: z.int().min(0),
  conditions: conditionsSchema,
}).partial().meta(cel(setOnce('machineID'), setOnce('mac')));

export const macOSInstanceRules: readonly CelRule[] = [
  shortLabelName('an instance'),
  { rule: '!has(oldSelf.status) || has(self.status)', message: 'macrack: the status of an instance cannot be removed' },
];

export type Shape = z.infer<typeof shapeSchema>;
export type MacOSInstanceSpec = z.infer<typeof macOSInstanceSpec>;
export type MacOSInstanceStatus = z.infer<typeof macOSInstanceStatus>;
