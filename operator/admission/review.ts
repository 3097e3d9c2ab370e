import type { KubeObject } from '../../sdk/api/object';

/** A request of an `admission.k8s.io/v1` AdmissionReview, as far as it is read here. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly kind: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** The impersonated user, where there is one. */
  readonly userInfo: { readonly username: string; readonly groups?: readonly string[] };
  readonly object?: KubeObject | null;
  readonly oldObject?: KubeObject | null;
  readonly dryRun?: boolean;
}

/** A field at fault, so that clients can read a refusal as data. */
export interface Cause { readonly reason: string; readonly field: string; readonly message: string }

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly status: 'Failure'; readonly code: number; readonly reason: string; readonly message: string; readonly details?: { readonly causes: readonly Cause[] } };
  readonly warnings?: readonly string[];
  readonly patchType?: 'JSONPatch';
  /** Base64 of an RFC 6902 patch. */
  readonly patch?: string;
}

export interface PatchOperation { readonly op: 'add' | 'remove' | 'replace'; readonly path: string; readonly value?: unknown }

/** Reads a review. Throws TypeError on anything that is none. */
export function readReview(text: string): AdmissionRequest {
  const review = JSON.parse(text) as { kind?: unknown; request?: Partial<AdmissionRequest> };
  const { request } = review;
  if (review.kind !== 'AdmissionReview' || typeof request?.uid !== 'string' || typeof request.userInfo?.username !== 'string' || request.operation === undefined || request.kind === undefined) {
    throw new TypeError('not an AdmissionReview with a request');
  }
  return request as AdmissionRequest;
}

export function reviewOf(response: AdmissionResponse): string {
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
}

export function allow(uid: string, warnings: readonly string[] = []): AdmissionResponse {
  return warnings.length === 0 ? { uid, allowed: true } : { uid, allowed: true, warnings };
}

export function allowPatched(uid: string, operations: readonly PatchOperation[]): AdmissionResponse {
  return operations.length === 0 ? allow(uid) : { uid, allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}
