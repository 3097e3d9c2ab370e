import { Kinds, type CertificateSigningRequest, type StatusCondition } from '../../../sdk/api';
import { instant } from '../../../sdk/rules/instant';
import { AuditType } from '../../audit/audit-log';
import type { Context } from '../context';
import { SETTLED, waitUntil, type Controller, type Decision } from '../engine/converge';
import { BOOTSTRAPPERS, enrolmentOf, gatherCertificate, MAC_USER, rowKey, Signer, type CertificateFacts } from './facts';
import { endpointHost, whyDenied, type Denial } from './judge';

/** A decision is recorded before it is told: a key that was approved once is known for good. */
export type CertificateStep =
  | { readonly do: 'Record'; readonly denial: Denial | undefined }
  | { readonly do: 'Approve' }
  | { readonly do: 'Deny'; readonly denial: Denial };

const AUDIT_RETRY_MS = 5_000;
const SIGNERS: readonly string[] = Object.values(Signer);

/** Nobody has decided yet. */
export function isPending({ status }: CertificateSigningRequest): boolean {
  return !(status?.conditions ?? []).some(({ type }) => type === 'Approved' || type === 'Denied');
}

/** Of a Mac, or by an enrolment. Other nodes of a shared cluster use the same signers, and are somebody else's to approve. */
function isOurs({ csr, asked }: CertificateFacts): boolean {
  const { signerName, username = '', groups = [] } = csr.spec;
  const namesMac = asked?.subject.some((part) => part.startsWith(`CN=${MAC_USER}`)) ?? false;
  return SIGNERS.includes(signerName) && (namesMac || username.startsWith(MAC_USER) || groups.includes(BOOTSTRAPPERS));
}

/** Approves what an enrolled Mac, and nobody else, would ask for. */
export function decideCertificate(facts: CertificateFacts): Decision<CertificateStep> {
  const { csr, rows, now } = facts;
  if (!isPending(csr) || !isOurs(facts)) return SETTLED;
  if (!rows.writable) return waitUntil(instant(now + AUDIT_RETRY_MS));
  const denial = whyDenied(facts);
  // What the agent serves under is compared with what it reported; a report that comes wakes this request.
  if (denial === undefined && csr.spec.signerName === Signer.Serving && endpointHost(facts) === undefined) return SETTLED;
  if (!(denial === undefined ? rows.approved : rows.denied)) return { step: { do: 'Record', denial } };
  return { step: denial === undefined ? { do: 'Approve' } : { do: 'Deny', denial } };
}

async function record({ audit, log }: Context, { csr, asked, serial, macNode, now }: CertificateFacts, denial: Denial | undefined): Promise<void> {
  const { username = '', signerName } = csr.spec;
  const enrolment = enrolmentOf(csr);
  const facts = { request: csr.metadata.name, signer: signerName, requester: username, ...(enrolment === undefined ? {} : { enrolment }), publicKey: asked?.publicKey, hardwareUUID: macNode?.spec.hardwareUUID };
  const subject = { ...(serial === '' ? {} : { serial }), actor: username };
  if (denial !== undefined) log.warn({ serial, reason: denial.reason, ...facts }, `a certificate is denied: ${denial.message}`);
  const verdict = denial === undefined ? 'approved' : 'denied';
  await audit.append({
    type: denial === undefined ? AuditType.CertificateApproved : AuditType.CertificateDenied, dedupe: rowKey(csr, serial, verdict), at: now, ...subject,
    payload: { ...facts, ...(denial === undefined ? {} : denial) },
  });
}

async function tell({ plane }: Context, csr: CertificateSigningRequest, condition: Pick<StatusCondition, 'type' | 'status' | 'reason' | 'message'>): Promise<void> {
  const { name, uid, resourceVersion } = csr.metadata;
  await plane.patch(Kinds.CertificateSigningRequest, { name }, { status: { conditions: [...(csr.status?.conditions ?? []), condition] } }, { subresource: 'approval', preconditions: { uid, resourceVersion } });
}

/** Judges requests for the certificates of agents, by the name of the request. The controller manager signs what is approved. */
export function certificateController(context: Context): Controller<CertificateFacts, CertificateStep> {
  return {
    gather: (view, name) => gatherCertificate(context, view, name),
    decide: decideCertificate,
    perform: async (step, facts) => {
      switch (step.do) {
        case 'Record':
          return record(context, facts, step.denial);
        case 'Approve':
          return tell(context, facts.csr, { type: 'Approved', status: 'True', reason: 'MacEnrolled', message: `macrack: Mac ${facts.serial} is enrolled and asks for its own certificate` });
        case 'Deny':
          return tell(context, facts.csr, { type: 'Denied', status: 'True', ...step.denial });
      }
    },
    isReversible: () => false,
  };
}
