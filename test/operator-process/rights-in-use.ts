import { readFileSync } from 'node:fs';
import type { Right } from '../../operator/process/checks/rights';
import { OPERATOR } from '../../realplane/identities';

interface Request {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource: string; readonly subresource?: string; readonly apiGroup?: string; readonly namespace?: string; readonly name?: string };
  readonly responseStatus?: { readonly code: number };
}

const keyOf = (group: string, resource: string, subresource: string | undefined, verb: string): string => `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}${group === '' ? '' : `.${group}`}`;
const rightKey = ({ group, resource, subresource, verb }: Right): string => keyOf(group, resource, subresource, verb);

/** What every user may ask about itself. */
const SELF = 'create selfsubjectaccessreviews.authorization.k8s.io';

/** `verb resource.group` of every request that the operator made, from the API server's own audit. */
function requests(auditFile: string): Set<string> {
  const lines = readFileSync(auditFile, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line) as Request);
  const own = lines.filter(({ user, objectRef }) => user.username === OPERATOR && objectRef !== undefined);
  return new Set(own.map(({ verb, objectRef }) => keyOf(objectRef?.apiGroup ?? '', objectRef?.resource ?? '', objectRef?.subresource, verb)));
}

/** Requests that the rights do not cover. */
export function unwantedRequests(auditFile: string, rights: readonly Right[]): string[] {
  const given = new Set(rights.map(rightKey));
  return [...requests(auditFile)].filter((request) => request !== SELF && !given.has(request)).sort();
}

/** Given for what these suites do not do, each with its reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'create events': 'nothing changes for the worse in a run without faults',
  'delete macnodeleases.macrack.io': 'ten minutes after a release',
  'delete nodes': 'when a Mac is retired',
  'get certificatesigningrequests.certificates.k8s.io': 'when a Mac is enrolled',
  'patch certificatesigningrequests/approval.certificates.k8s.io': 'when a Mac is enrolled',
  'approve signers.certificates.k8s.io': 'the API server asks for it when a Mac is enrolled',
  'update macnodeleases/finalizers.macrack.io': 'asked for by OwnerReferencesPermissionEnforcement, where a cluster has it',
  'update macosinstances/finalizers.macrack.io': 'asked for by OwnerReferencesPermissionEnforcement, where a cluster has it',
};

/** Rights that were never used. */
export function unusedRights(auditFile: string, rights: readonly Right[]): string[] {
  const used = requests(auditFile);
  return [...new Set(rights.map(rightKey))].filter((right) => !used.has(right) && ELSEWHERE[right] === undefined).sort();
}
