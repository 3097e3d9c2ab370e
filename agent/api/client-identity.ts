import type { PeerCertificate } from 'node:tls';

/** Who may ask an agent. Tenants and their tokens are nobody here. */
const OPERATOR = 'macrack-operator';
const FLEET_OPERATORS = 'macrack:fleet-operators';

/** A client whose certificate the cluster's authority has signed and that may ask. */
export interface ApiClient {
  /** CN of the certificate. */
  readonly name: string;
  readonly isOperator: boolean;
}

const valuesOf = (field: string | string[] | undefined): readonly string[] => (field === undefined ? [] : [field].flat());

/** Undefined for a certificate that names neither the operator nor a fleet operator. A certificate with several CNs is nobody's. */
export function identifyClient(certificate: Pick<PeerCertificate, 'subject'>): ApiClient | undefined {
  // Node gives a list where a field is repeated, which its types do not say; and no subject without a certificate.
  const subject = certificate.subject as Partial<Record<'CN' | 'O', string | string[]>> | undefined;
  const names = valuesOf(subject?.CN);
  const [name] = names;
  if (name === undefined || names.length > 1) return undefined;
  const isOperator = name === OPERATOR;
  return isOperator || valuesOf(subject?.O).includes(FLEET_OPERATORS) ? { name, isOperator } : undefined;
}
