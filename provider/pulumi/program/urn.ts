import { getProject, getStack, type Resource } from '@pulumi/pulumi';

const STACK = 'pulumi:pulumi:Stack';

interface Placed {
  readonly __pulumiType: string;
  readonly __parentResource?: Placed;
}

function typeChain(resource: Placed | undefined): string {
  if (resource === undefined || resource.__pulumiType === STACK) return '';
  return `${typeChain(resource.__parentResource)}${resource.__pulumiType}$`;
}

/**
 * The URN that a resource is going to have. It is computed, not asked for: the engine's answer comes only after a parent is registered,
 * and a parent may itself wait for a lease.
 */
export function urnOf(name: string, type: string, parent: Resource | undefined): string {
  return `urn:pulumi:${getStack()}::${getProject()}::${typeChain(parent as unknown as Placed | undefined)}${type}::${name}`;
}
