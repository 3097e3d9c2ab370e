import type { ApiObject } from '../devplane/json';
import { ADMIN } from './identities';
import { untilUsable } from './manifest-objects';
import type { RealPlane } from './real-plane';

const bind = (namespace: string, role: string, user: string): ApiObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: `${user}-${role}`, namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }, subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
});

/** A namespace for each tenant, with the users `<tenant>` (editor) and `<tenant>-viewer`. */
export function tenantObjects(tenants: readonly string[]): ApiObject[] {
  return tenants.flatMap((tenant) => [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: tenant } }, bind(tenant, 'macrack-tenant-editor', tenant), bind(tenant, 'macrack-tenant-viewer', `${tenant}-viewer`),
  ]);
}

/** Makes them, and returns when pods can be made there. */
export async function makeTenants(plane: RealPlane, tenants: readonly string[]): Promise<void> {
  await plane.load(tenantObjects(tenants));
  const admin = await plane.connectAs(ADMIN);
  await Promise.all(tenants.map((tenant) => untilUsable(admin, tenant))).finally(() => admin.close());
}
