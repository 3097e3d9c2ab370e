import { Condition } from '../../sdk/api/phases';
import type { Core } from './core';
import { warning, type Findings } from './finding';
import { heldWarnings } from './held-leases';

/** One warning a run where an administrator of the cluster could take the policies away. Nothing is said where it is not known. */
async function tamperWarnings(core: Core): Promise<Findings> {
  const look = await core.facts.classes();
  const isFalse = look.seen && look.value.some(({ status }) => status?.conditions?.some(({ type, status: is }) => type === Condition.TamperProof && is === 'False'));
  if (!isFalse || !core.run.isFirstToSay('TamperProof')) return [];
  return [warning('NotTamperProof', '', 'the policies of this control plane can be taken away', 'TamperProof=False: the policies that keep a lease for 24 hours and a Mac to one tenant are objects of the API here, and an administrator of the cluster could remove them. '
    + 'The scheduler, the agents of the Macs and the kernel hold their part all the same. On Kubernetes 1.37 or later the policies can be files of the API server, which no user of the API can touch: ask the administrator.')];
}

/** What every preview says, whatever it changes: Held leases of the namespace, and a control plane that is not tamper-proof; nothing at apply. */
export async function previewNotes(core: Core, namespace: string): Promise<Findings> {
  if (core.run.walk === 'apply') return [];
  return (await Promise.all([tamperWarnings(core), heldWarnings(core, namespace)])).flat();
}
