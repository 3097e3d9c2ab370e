import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { Kind, KubeObject } from '../../../sdk/api/object';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import { packageFile } from '../package-files';
import { ask } from './ask';
import type { Check } from './check';
import { bad, Fault, GOOD } from './finding';

interface Rule { readonly apiGroups: readonly string[]; readonly resources: readonly string[]; readonly verbs: readonly string[]; readonly resourceNames?: readonly string[] }
interface Role { readonly kind: string; readonly rules: readonly Rule[] }

/** One right, as an access review asks for it. */
export interface Right {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly verb: string;
  readonly name?: string;
  readonly namespace?: string;
}

function rightsOf({ apiGroups, resources, verbs, resourceNames }: Rule, namespace?: string): Right[] {
  const names: readonly (string | undefined)[] = resourceNames ?? [undefined];
  return apiGroups.flatMap((group) => resources.flatMap((path) => verbs.flatMap((verb) => names.map((name): Right => {
    const [resource = '', subresource] = path.split('/');
    return { group, resource, verb, ...(subresource === undefined ? {} : { subresource }), ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) };
  }))));
}

/** What deploy/rbac/operator.yaml gives, which is all that the operator needs. */
export function neededRights(namespace: string): readonly Right[] {
  const documents = parseAllDocuments(readFileSync(packageFile('deploy', 'rbac', 'operator.yaml'), 'utf8')).map((d) => d.toJS() as Role | null);
  return documents.filter((d) => d !== null).flatMap(({ kind, rules }) => {
    if (kind === 'ClusterRole') return rules.flatMap((rule) => rightsOf(rule));
    return kind === 'Role' ? rules.flatMap((rule) => rightsOf(rule, namespace)) : [];
  });
}

type AccessReview = KubeObject<unknown, { allowed?: boolean }>;
const REVIEW: Kind<AccessReview> = { group: 'authorization.k8s.io', version: 'v1', kind: 'SelfSubjectAccessReview', plural: 'selfsubjectaccessreviews', namespaced: false };

async function has(plane: ControlPlane, right: Right): Promise<boolean> {
  const review = await plane.create(REVIEW, { metadata: { name: '' }, spec: { resourceAttributes: { version: '*', ...right } } });
  return review.status?.allowed === true;
}

function inWords({ verb, group, resource, subresource, name, namespace }: Right): string {
  const path = `${resource}${subresource === undefined ? '' : `/${subresource}`}${group === '' ? '' : `.${group}`}`;
  return `${verb} ${path}${name === undefined ? '' : ` ${name}`}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

const AT_ONCE = 8;

/** Rights that the present identity lacks. */
export async function missingRights(plane: ControlPlane, rights: readonly Right[]): Promise<readonly Right[]> {
  const missing = new Set<Right>();
  const open = [...rights];
  const ask = async (): Promise<void> => {
    for (let right = open.shift(); right !== undefined; right = open.shift()) if (!await has(plane, right)) missing.add(right);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return rights.filter((right) => missing.has(right));
}

export function rightsCheck(plane: ControlPlane, namespace: string): Check {
  const rights = neededRights(namespace);
  return {
    name: 'rights', halts: true, everyMs: 60_000,
    look: () => ask(async () => {
      const missing = await missingRights(plane, rights);
      if (missing.length === 0) return GOOD;
      return bad(Fault.RightMissing, `the operator may not: ${missing.map(inWords).join('; ')}. Apply deploy/rbac/operator.yaml of this release; is the identity that of user macrack-operator?`);
    }),
  };
}
