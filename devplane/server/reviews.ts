import type { Json, JsonObject } from '../json';
import { recordAt, textAt } from '../json';
import { isAllowed } from '../rbac/authorize';
import type { Plane } from '../verbs/plane';
import { reviewGroup } from './discovery';
import type { User } from './user';
import { notImplemented } from './status-error';

export const reviewPath = `/apis/${reviewGroup}/v1/selfsubjectaccessreviews`;

/** SelfSubjectAccessReview: what `kubectl auth can-i` asks. */
export function reviewAccess(plane: Plane, user: User, body: Json | undefined): JsonObject {
  const asked = recordAt(body, 'spec', 'resourceAttributes');
  if (Object.keys(asked).length === 0) throw notImplemented('access reviews without resourceAttributes');
  const text = (key: string) => textAt(asked, key);
  const allowed = isAllowed(plane, user, { verb: text('verb'), group: text('group'), resource: text('resource'), subresource: text('subresource'), namespace: text('namespace'), name: text('name') });
  return { kind: 'SelfSubjectAccessReview', apiVersion: `${reviewGroup}/v1`, metadata: {}, spec: recordAt(body, 'spec'), status: { allowed } };
}
