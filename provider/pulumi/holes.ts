import type { Finding } from '../core/finding';

/** True for what a preview cannot say of a resource because an input of it is not known yet. */
export function isHole({ reason, severity, detail }: Finding): boolean {
  return severity === 'warning' && reason === 'NotChecked' && detail.startsWith('Not known yet:');
}
