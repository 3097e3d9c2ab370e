import type { User } from '../server/user';
import { textAt } from '../json';
import type { Plane } from '../verbs/plane';
import type { Asked } from './asked';

const identity = 'system:node:';
const includes = (verbs: string, verb: string) => verbs.split(' ').includes(verb);

/** The Node authoriser with NodeRestriction: a node reaches itself, its pods and its lease, nothing of another node. */
export function isNodeAllowed(plane: Plane, user: User, asked: Asked): boolean {
  if (!user.groups.includes('system:nodes') || !user.name.startsWith(identity)) return false;
  const node = user.name.slice(identity.length);
  const what = `${asked.group}/${asked.resource}${asked.subresource ? `/${asked.subresource}` : ''}`;
  switch (what) {
    // Which node is written is judged by NodeRestriction, once the object is known.
    case '/nodes': return includes('create update patch', asked.verb) || (asked.name === node && includes('get list watch', asked.verb));
    case '/nodes/status': return includes('update patch', asked.verb);
    case 'coordination.k8s.io/leases': return asked.namespace === 'kube-node-lease' && (asked.verb === 'create' || (asked.name === node && includes('get update patch delete', asked.verb)));
    case '/pods': return mayTouchPods(plane, asked, node);
    case '/pods/status': return includes('update patch', asked.verb) && isOwnPod(plane, asked, node);
    case '/pods/eviction': return asked.verb === 'create' && isOwnPod(plane, asked, node);
    case '/events': return includes('create update patch', asked.verb);
    default: return false;
  }
}

/** A read is authorised by what ties the pod to the node, so that one that is gone is forbidden. */
function mayTouchPods(plane: Plane, asked: Asked, node: string): boolean {
  if (includes('list watch', asked.verb)) return asked.pinnedNode === node;
  if (asked.verb === 'get') return plane.store.get('/pods', asked.namespace, asked.name) !== undefined && isOwnPod(plane, asked, node);
  return asked.verb === 'delete' && isOwnPod(plane, asked, node);
}

/** To a write a pod that is gone is "not found" to the node, not "forbidden". */
function isOwnPod(plane: Plane, asked: Asked, node: string): boolean {
  const pod = plane.store.get('/pods', asked.namespace, asked.name);
  return pod === undefined || textAt(pod, 'spec', 'nodeName') === node;
}
