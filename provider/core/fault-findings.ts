import type { PlaneError } from '../../sdk/client/errors';
import { failure, warning, type Finding, type Findings } from './finding';
import type { Unseen } from './facts';
import type { Run } from './run';

type Fault = Unseen['error'];

const isSilent = (error: Fault): boolean => error === 'unconfigured' || ['Unreachable', 'Timeout', 'Unavailable'].includes(error.fault);

const said = (error: Fault): string => (error === 'unconfigured' ? 'Its address is not known before other resources exist' : error.message.replace(/\.$/, ''));

function unauthorized(error: PlaneError): Finding {
  return failure('Unauthorized', '', 'the control plane does not accept the credentials', `${said(error)}. They are wrong or have expired. Renew the kubeconfig, token or client certificate that the provider is configured with; nothing was changed.`);
}

function unexpected(error: PlaneError, what: string): Finding {
  if (error.fault === 'NotFound') return failure('Refused', '', `cannot ${what}`, `${said(error)}. MacRack does not seem to be installed there: apply its CRDs first, or correct the address.`);
  return failure('Refused', '', `cannot ${what}`, `${said(error)}. Nothing was changed.`);
}

/** A look that only helps a preview: without the right, or without a connection, it says so once and claims nothing. */
export function auxiliaryFault(error: Fault, what: string, run: Run): Findings {
  if (isSilent(error)) return silence(error, run);
  if (error === 'unconfigured') return [];
  if (error.fault === 'Unauthorized') return [unauthorized(error)];
  if (error.fault !== 'Forbidden') return [unexpected(error, `look at ${what}`)];
  return run.isFirstToSay(`Forbidden ${what}`) ? [warning('NotChecked', '', `no right to look at ${what}`, `${said(error)}. What depends on it was not checked in this preview; the apply and the control plane check it again.`)] : [];
}

function silence(error: Fault, run: Run): Findings {
  if (!run.isFirstToSay('silence')) return [];
  return [warning('NotChecked', '', 'the control plane cannot be asked', `${said(error)}. This preview rests on the state alone: floors, slots, names and capacity were not checked, and nothing can be destroyed.`)];
}

/** A look without which the call cannot go on. An object that may not be read is not gone. */
export function essentialFault(error: Fault, what: string): Finding {
  if (error === 'unconfigured' || isSilent(error)) return failure('NotChecked', '', `cannot ${what} now`, `${said(error)}. Nothing was changed. Run it again when the control plane answers.`);
  switch (error.fault) {
    case 'Unauthorized': return unauthorized(error);
    case 'Forbidden': return failure('Forbidden', '', `no right to ${what}`, `${said(error)}. What may not be looked at does not count as gone, so the state stays as it is. Ask the administrator for the role macrack-tenant-editor in that namespace.`);
    case 'Conflict': return failure('Conflict', '', `cannot ${what}`, `${said(error)}. Somebody else kept changing it; run it again.`);
    default: return unexpected(error, what);
  }
}

/** Essential for a destroy, and for a read that the state can stand in for only while the control plane is silent. */
export function readFault(error: Fault, what: string, run: Run): Findings {
  return isSilent(error) ? silence(error, run) : [essentialFault(error, what)];
}
