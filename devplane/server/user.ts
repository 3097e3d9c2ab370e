/** Who makes a request, as admission and RBAC see it. */
export interface User {
  name: string;
  groups: readonly string[];
}
