import { Kinds, type CertificateSigningRequest, type MacNode } from '../../../sdk/api';
import type { Instant } from '../../../sdk/rules/instant';
import { AuditType, type AuditRow } from '../../audit/audit-log';
import type { Context } from '../context';
import type { View } from '../engine/view';
import { readRequest, type AskedCertificate } from './asked';

export const Signer = { Client: 'kubernetes.io/kube-apiserver-client-kubelet', Serving: 'kubernetes.io/kubelet-serving' } as const;

/** Group of the bootstrap tokens that enrolments make. */
export const BOOTSTRAPPERS = 'system:bootstrappers:macrack';
export const BOOTSTRAP_USER = 'system:bootstrap:';
export const MAC_USER = 'system:node:mac-';

/** What an agent's request for a certificate is judged on. */
export interface CertificateFacts {
  readonly now: Instant;
  readonly csr: CertificateSigningRequest;
  readonly asked: AskedCertificate | undefined;
  /** Lower case; empty where the subject names no Mac. */
  readonly serial: string;
  readonly macNode: MacNode | null;
  readonly rows: {
    readonly writable: boolean;
    /** The approval of this key, and the denial of this request, stand in the record. */
    readonly approved: boolean;
    readonly denied: boolean;
    /** Public keys that were approved for the enrolment of the request. */
    readonly approvedKeys: readonly string[];
  };
}

/** Id of the bootstrap token that asks; undefined for another identity. */
export function enrolmentOf({ spec }: CertificateSigningRequest): string | undefined {
  return spec.username?.startsWith(BOOTSTRAP_USER) === true ? spec.username.slice(BOOTSTRAP_USER.length) : undefined;
}

/** Key of the row of a decision. A first certificate has one row an enrolment, so that of two requests at once one is approved. */
export function rowKey(csr: CertificateSigningRequest, serial: string, verdict: 'approved' | 'denied'): string {
  const enrolment = enrolmentOf(csr);
  return verdict === 'approved' && enrolment !== undefined ? `certificate/${serial}/${enrolment}` : `certificate/${verdict}/${csr.metadata.uid}`;
}

function serialOf(asked: AskedCertificate | undefined): string {
  const name = asked?.subject.find((part) => part.startsWith(`CN=${MAC_USER}`));
  const serial = name?.slice(`CN=${MAC_USER}`.length) ?? '';
  return /^[a-z0-9]{1,32}$/.test(serial) ? serial : '';
}

async function rowsOf({ audit }: Context, csr: CertificateSigningRequest, serial: string, publicKey: string | undefined): Promise<CertificateFacts['rows']> {
  try {
    const approved: readonly AuditRow[] = serial === '' ? [] : await audit.rows({ serial, type: AuditType.CertificateApproved });
    const enrolment = enrolmentOf(csr);
    const approvedKeys = approved.filter(({ payload }) => enrolment !== undefined && payload['enrolment'] === enrolment).map(({ payload }) => String(payload['publicKey']));
    const approvedBefore = enrolment === undefined ? await audit.has(rowKey(csr, serial, 'approved')) : publicKey !== undefined && approvedKeys.includes(publicKey);
    return { writable: await audit.writable(), approved: approvedBefore, denied: await audit.has(rowKey(csr, serial, 'denied')), approvedKeys };
  } catch {
    return { writable: false, approved: false, denied: false, approvedKeys: [] };
  }
}

/** Reads a request and the Mac that its subject names; null when it is gone. */
export async function gatherCertificate(context: Context, view: View, name: string): Promise<CertificateFacts | null> {
  const csr = await view.get(Kinds.CertificateSigningRequest, { name });
  if (csr === null) return null;
  const asked = await readRequest(csr.spec.request);
  const serial = serialOf(asked);
  const [macNode, rows, now] = await Promise.all([
    serial === '' ? null : view.get(Kinds.MacNode, { name: serial }), rowsOf(context, csr, serial, asked?.publicKey), view.now(),
  ]);
  return { now, csr, asked, serial, macNode, rows };
}
