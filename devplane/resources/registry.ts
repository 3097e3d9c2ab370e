import { notImplemented, pageNotFound } from '../server/status-error';
import type { ResourceDefinition } from './definition';

/** Groups that real Kubernetes serves: a request for one that the plane lacks is "not implemented", never "not found". */
const isKubernetesGroup = (group: string) => !group.includes('.') || group.endsWith('.k8s.io');

/** The resources that this plane serves. */
export class ResourceRegistry {
  readonly #definitions: ResourceDefinition[] = [];

  add(definition: ResourceDefinition): void {
    this.#definitions.push(definition);
  }

  all(): readonly ResourceDefinition[] {
    return this.#definitions;
  }

  /** @throws StatusError 404 or 501 */
  find(group: string, version: string, resource: string): ResourceDefinition {
    const found = this.#definitions.find((definition) => definition.group === group && definition.version === version && definition.resource === resource);
    if (found) return found;
    throw isKubernetesGroup(group) ? notImplemented(`${group ? `${group}/` : ''}${version} ${resource}`) : pageNotFound();
  }

  /** The definition of a built-in kind that the plane itself needs. */
  builtin(resource: string, group = ''): ResourceDefinition {
    return this.find(group, 'v1', resource);
  }
}
