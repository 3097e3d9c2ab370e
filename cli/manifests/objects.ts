import { readFileSync } from 'node:fs';
import type { ApiObject } from '../../devplane/json';
import { apiPolicies, apiWebhooks } from './api-admission';
import { operatorObjects } from './operator-objects';
import type { ManifestRequest } from './options';
import type { Part } from './parts';
import { sourceOf } from './source';
import { tenantObjects } from './tenant-objects';

const PEM = /^(\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

/** The text of a file of certificates. @throws Error that names the file */
export function readAuthority(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--webhook-ca ${file} cannot be read: ${(error as Error).message}`);
  }
  if (!PEM.test(text)) throw new Error(`--webhook-ca ${file} is not a file of certificates in PEM: it takes ca.crt, never the key`);
  return text;
}

function partObjects(deploy: string, part: Part, { image, webhookCa, webhookOrigin }: ManifestRequest): ApiObject[] {
  switch (part) {
    case 'admission': return [];
    case 'policies': case 'mutating-policies': return apiPolicies(sourceOf(deploy, part));
    case 'webhooks': return apiWebhooks(sourceOf(deploy, part), readAuthority(webhookCa ?? ''));
    case 'operator': return operatorObjects(sourceOf(deploy, part), { ...(image !== undefined && { image }), ...(webhookOrigin !== undefined && { webhookHost: new URL(webhookOrigin).hostname.replace(/^\[|\]$/g, '') }) });
    default: return sourceOf(deploy, part);
  }
}

/** What is applied through the API, in that order. */
export function requestedObjects(deploy: string, request: ManifestRequest): ApiObject[] {
  const { objects, tenant } = request;
  return [...objects.flatMap((part) => partObjects(deploy, part, request)), ...(tenant === undefined ? [] : tenantObjects(deploy, tenant.namespace, tenant.leases))];
}
