/** How the rules are held: by files on the control-plane hosts, which no user of the API can remove, or by objects of the API. */
export type Form = 'tamper-proof' | 'api';

/** In the order in which they are applied. */
export const PARTS = ['namespace', 'crds', 'rbac', 'classes', 'clock-policy', 'admission', 'policies', 'mutating-policies', 'webhooks', 'operator'] as const;
export type Part = (typeof PARTS)[number];

export const KUBERNETES = ['1.35', '1.36', '1.37'] as const;
export type KubernetesVersion = (typeof KUBERNETES)[number];

// In files on the control-plane hosts where the form is tamper-proof.
const HELD_BY_FILES: readonly Part[] = ['admission', 'policies', 'mutating-policies', 'webhooks'];

/** Parts that are files for the control-plane hosts. */
export function fileParts(form: Form): readonly Part[] {
  return form === 'tamper-proof' ? HELD_BY_FILES : [];
}

/**
 * Parts that are objects of the API. `admission`, the configuration of a plugin, is a file or nothing. MutatingAdmissionPolicy is v1 from
 * Kubernetes 1.36: below, the mutating webhook and the agent's own registration do its work, and p2 and p3 check the result.
 */
export function objectParts(form: Form, kubernetes: KubernetesVersion): readonly Part[] {
  if (form === 'tamper-proof') return PARTS.filter((part) => !HELD_BY_FILES.includes(part));
  return PARTS.filter((part) => part !== 'admission' && (part !== 'mutating-policies' || kubernetes !== '1.35'));
}
