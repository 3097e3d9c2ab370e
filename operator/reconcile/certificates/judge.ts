import { Annotation, nodeName } from '../../../sdk/api';
import { plainAddress } from './asked';
import { enrolmentOf, MAC_USER, Signer, type CertificateFacts } from './facts';

/** Why a request is denied, for its condition. */
export interface Denial { readonly reason: string; readonly message: string }

type Check = (facts: CertificateFacts) => Denial | undefined;

const NODES = 'system:nodes';
const USAGES: Readonly<Record<string, readonly string[]>> = { [Signer.Client]: ['digital signature', 'client auth'], [Signer.Serving]: ['digital signature', 'server auth'] };

const deny = (reason: string, message: string): Denial => ({ reason, message: `macrack: ${message}` });
const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && [...a].sort().join('\n') === [...b].sort().join('\n');
const quoted = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '));

const isReadable: Check = ({ asked }) => (asked === undefined ? deny('Unreadable', 'spec.request is not one PEM block, with nothing around it, of a certificate request that its own key signed') : undefined);

const namesOneMac: Check = ({ asked, serial }) => {
  const wanted = [`O=${NODES}`, `CN=${MAC_USER}${serial}`];
  if (serial !== '' && isSame(asked?.subject ?? [], wanted)) return undefined;
  return deny('UnexpectedSubject', `the subject of an agent's certificate is O=${NODES} and CN=${MAC_USER}<serial> and nothing else, not ${quoted(asked?.subject ?? [])}`);
};

const usagesAreExact: Check = ({ csr }) => {
  const wanted = USAGES[csr.spec.signerName] ?? [];
  return isSame(csr.spec.usages ?? [], wanted) ? undefined : deny('UnexpectedUsages', `the usages of this certificate are ${quoted(wanted)}, not ${quoted(csr.spec.usages ?? [])}`);
};

const isEnrolled: Check = ({ macNode, serial }) => {
  if (macNode === null || macNode.metadata.deletionTimestamp !== undefined) return deny('NotEnrolled', `there is no MacNode ${serial}: enrol the Mac with macrack mac enrol ${serial}`);
  return macNode.spec.retired ? deny('Retired', `Mac ${serial} is retired: enrol it again with macrack mac enrol ${serial}`) : undefined;
};

const isEnrolledHardware: Check = ({ csr, macNode, serial }) => {
  const claimed = csr.metadata.annotations?.[Annotation.HardwareUUID] ?? '';
  if (claimed.toLowerCase() === macNode?.spec.hardwareUUID.toLowerCase()) return undefined;
  return deny('HardwareMismatch', `hardware ${claimed === '' ? '(no UUID given)' : claimed} asks, and Mac ${serial} was enrolled with another: after a change of its logic board enrol it again with macrack mac enrol ${serial} --hardware-uuid <uuid> --replace-hardware`);
};

/** The Mac itself, or, for its first certificate, the token of its enrolment, once. */
const mayAsk: Check = ({ csr, asked, macNode, serial, rows }) => {
  const { username = '', signerName } = csr.spec;
  if (username === `${MAC_USER}${serial}`) return undefined;
  const enrolment = enrolmentOf(csr);
  if (enrolment === undefined || signerName !== Signer.Client) return deny('UnexpectedRequester', `${username} asks for a certificate of ${nodeName(serial)}: only that node asks for it`);
  if (macNode?.metadata.annotations?.[Annotation.Enrolment] !== enrolment) return deny('OtherEnrolment', `this bootstrap token is not that of the enrolment of Mac ${serial}`);
  // The same key again is the same agent, which did not live to read the answer.
  const isUsed = rows.approvedKeys.some((key) => key !== asked?.publicKey);
  return isUsed ? deny('EnrolmentUsed', `the enrolment of Mac ${serial} has had its certificate: enrol it again with macrack mac enrol ${serial}`) : undefined;
};

const clientHasNoNames: Check = ({ csr, asked }) => {
  if (csr.spec.signerName !== Signer.Client || asked === undefined) return undefined;
  const names = [...asked.dns, ...asked.ips, ...asked.otherNames];
  return names.length === 0 ? undefined : deny('UnexpectedNames', `a client certificate has no alternative names; this one asks for ${quoted(names)}`);
};

/** Host of the endpoint that the agent reported; undefined before it did. */
export function endpointHost({ macNode }: CertificateFacts): string | undefined {
  const endpoint = macNode?.status?.agentEndpoint;
  if (endpoint === undefined || !URL.canParse(endpoint)) return undefined;
  return plainAddress(new URL(endpoint).hostname.replace(/^\[(.*)\]$/, '$1'));
}

const servesOwnNames: Check = (facts) => {
  const { csr, asked, serial } = facts;
  const host = endpointHost(facts);
  if (csr.spec.signerName !== Signer.Serving || asked === undefined || host === undefined) return undefined;
  const own = nodeName(serial);
  const foreign = [...asked.dns, ...asked.ips, ...asked.otherNames].filter((name) => name !== own && name !== host);
  if (foreign.length === 0 && asked.otherNames.length === 0 && asked.dns.includes(own)) return undefined;
  return deny('UnexpectedNames', `a serving certificate of ${own} names ${own} and the host of its reported endpoint (${host}); this one asks for ${quoted([...asked.dns, ...asked.ips, ...asked.otherNames])}`);
};

/** In the order of what a reader would put right first. */
const CHECKS: readonly Check[] = [isReadable, namesOneMac, usagesAreExact, isEnrolled, mayAsk, isEnrolledHardware, clientHasNoNames, servesOwnNames];

/** The first reason against the certificate; undefined when there is none. */
export function whyDenied(facts: CertificateFacts): Denial | undefined {
  for (const check of CHECKS) {
    const denial = check(facts);
    if (denial !== undefined) return denial;
  }
  return undefined;
}
