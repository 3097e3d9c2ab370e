import type { ApiObject, JsonObject } from '../../devplane/json';
import { apiName, redirectedTo, type WebhookConfiguration } from '../../realplane/static-admission';

/**
 * Policies that would never be asked as objects of the API. No API server asks a policy of the API about policies and webhooks, so one that
 * guards them would only look like a guard. Whoever may delete a policy may delete each of these: that is what TamperProof=False says.
 */
export const FILES_ONLY = ['p8a-admission-objects.macrack.static.k8s.io'] as const;

const SERVICE = { namespace: 'macrack-system', name: 'macrack-operator' };

function renamed({ metadata, spec, ...object }: ApiObject): ApiObject {
  const { policyName } = spec as JsonObject;
  return { ...object, metadata: { ...metadata, name: apiName(metadata.name) }, spec: { ...spec as JsonObject, ...(typeof policyName === 'string' && { policyName: apiName(policyName) }) } };
}

/** The policies and bindings of the static files as objects of the API, which refuses names that end in `.static.k8s.io`. */
export function apiPolicies(objects: readonly ApiObject[]): ApiObject[] {
  return objects.filter(({ metadata }) => !(FILES_ONLY as readonly string[]).includes(metadata.name)).map(renamed);
}

/** The webhooks as objects of the API, which reach the operator through its Service. @param ca PEM, one certificate or a bundle */
export function apiWebhooks(objects: readonly ApiObject[], ca: string): ApiObject[] {
  return objects.map((object) => redirectedTo(object as WebhookConfiguration, ca, (path) => ({ service: { ...SERVICE, path, port: 443 } })));
}
