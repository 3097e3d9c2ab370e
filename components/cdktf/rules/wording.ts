import type { Finding } from '../../../provider/core/finding';
import { TERRAFORM, type Wording } from '../../../provider/core/wording';

/** What a user of constructs is told to do; the plan behind them is Terraform's. */
export const CONSTRUCTS: Wording = {
  ...TERRAFORM,
  leaseExample: 'the id of a construct, lease.id, or "team-a/ci"',
  nameInLoop: 'In a loop, make the index a part of the name.',
};

/** A finding as a line of the error of a synth. */
export function inWords({ reason, title, detail, path }: Finding): string {
  return `${reason}: ${reason === 'InvalidValue' && path !== '' ? `${path}: ` : ''}${title}. ${detail}`;
}
