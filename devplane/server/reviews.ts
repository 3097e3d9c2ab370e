import type { Json, JsonObject } from '../json';
import { recordAt, textAt } from '../json';
import { isAllowed } from '../rbac/authorize';
import type { Plane } from '../verbs/plane';
import { accessReview, identityReview } from './discovery';
import type { User } from './user';
import { notImplemented } from './status-error';

type Review = (plane: Plane, user: User, body: Json | undefined) => JsonObject;

const withFacts = (apiVersion: string, kind: string, body: Json | undefined, status: JsonObject): JsonObject => ({ kind, apiVersion, metadata: {}, spec: recordAt(body, 'spec'), status });

/** What `kubectl auth can-i` asks. */
function reviewAccess(plane: Plane, user: User, body: Json | undefined): JsonObject {
  const asked = recordAt(body, 'spec', 'resourceAttributes');
  if (Object.keys(asked).length === 0) throw notImplemented('access reviews without resourceAttributes');
  const text = (key: string) => textAt(asked, key);
  const allowed = isAllowed(plane, user, { verb: text('verb'), group: text('group'), resource: text('resource'), subresource: text('subresource'), namespace: text('namespace'), name: text('name') });
  return withFacts(accessReview.apiVersion, 'SelfSubjectAccessReview', body, { allowed });
}

/** What `kubectl auth whoami` asks. */
const reviewIdentity: Review = (_plane, user, body) => withFacts(identityReview.apiVersion, 'SelfSubjectReview', body, { userInfo: { username: user.name, groups: [...user.groups] } });

const reviews = new Map<string, Review>([[`/apis/${accessReview.apiVersion}/${accessReview.resource}`, reviewAccess], [`/apis/${identityReview.apiVersion}/${identityReview.resource}`, reviewIdentity]]);

/** Who answers a POST to this path, if it asks about the asker himself. */
export const reviewerOf = (pathname: string): Review | undefined => reviews.get(pathname);
