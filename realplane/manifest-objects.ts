import { until } from '../sdk/client/until';
import type { ApiObject } from '../devplane/json';
import { Kinds } from '../sdk/api/kinds';
import type { Kind, KubeObject } from '../sdk/api/object';
import type { ControlPlane } from '../sdk/client/control-plane';

export interface Condition { readonly type: string; readonly status: string; readonly reason?: string; readonly message?: string }
export type CustomResourceDefinition = KubeObject<{ group: string; names: { kind: string; plural: string } }, { conditions?: Condition[] }>;

const of = <T extends KubeObject>(group: string, kind: string, plural: string, namespaced = false): Kind<T> => ({ group, version: 'v1', kind, plural, namespaced });
const rbac = (kind: string, namespaced = false): Kind => of('rbac.authorization.k8s.io', kind, `${kind.toLowerCase()}s`, namespaced);

/** Kinds that an installation writes, and that the project itself never touches. */
export const InstalledKinds = {
  CustomResourceDefinition: of<CustomResourceDefinition>('apiextensions.k8s.io', 'CustomResourceDefinition', 'customresourcedefinitions'),
  ServiceAccount: of('', 'ServiceAccount', 'serviceaccounts', true),
  ClusterRole: rbac('ClusterRole'), ClusterRoleBinding: rbac('ClusterRoleBinding'), Role: rbac('Role', true), RoleBinding: rbac('RoleBinding', true),
  ValidatingAdmissionPolicy: of('admissionregistration.k8s.io', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies'),
  ValidatingAdmissionPolicyBinding: of('admissionregistration.k8s.io', 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings'),
} as const;

const byKind = new Map<string, Kind>([...Object.values(Kinds), ...Object.values(InstalledKinds)].map((kind) => [kind.kind, kind]));

/** Creates objects one after another. @throws PlaneError of the first that is refused */
export async function createAll(plane: ControlPlane, objects: readonly ApiObject[]): Promise<void> {
  for (const object of objects) {
    const kind = byKind.get(object.kind);
    if (kind === undefined) throw new Error(`the harness knows no kind ${object.apiVersion} ${object.kind}`);
    await plane.create(kind, object);
  }
}

const isEstablished = ({ status }: CustomResourceDefinition): boolean => status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true;

/** Waits until the kinds of the CRDs are served. */
export async function untilEstablished(plane: ControlPlane): Promise<void> {
  await until('every CRD is Established', async () => {
    const { items } = await plane.list(InstalledKinds.CustomResourceDefinition);
    return items.every(isEstablished) ? true : undefined;
  });
}

/** Waits until pods can be made in a namespace: their service account comes from the controller manager. */
export async function untilUsable(plane: ControlPlane, namespace: string): Promise<void> {
  await until(`namespace ${namespace} has its service account`, async () => await plane.tryGet(InstalledKinds.ServiceAccount, { namespace, name: 'default' }) ?? undefined);
}
