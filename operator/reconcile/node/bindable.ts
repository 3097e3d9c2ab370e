import type { MacNode, MacNodeBinding, Node } from '../../../sdk/api';
import type { Instant } from '../../../sdk/rules/instant';
import { isDegraded, isEmpty, isEnrolledHardware, isFresh, isReady } from './report';
import { isUnleased } from './taints';

/** All that is known of one Mac. */
export interface MacFacts {
  readonly macNode: MacNode | null;
  readonly node: Node | null;
  readonly claim: MacNodeBinding | null;
}

/** Why a Mac takes no new lease; null when it does. For administrators' logs: a tenant never reads it. */
export function whyNotBindable({ macNode, node, claim }: MacFacts, now: Instant): string | null {
  if (macNode === null) return 'not enrolled';
  if (claim !== null) return 'claimed';
  if (macNode.metadata.deletionTimestamp !== undefined || macNode.spec.retired) return 'retired';
  if (macNode.spec.cordoned) return 'cordoned';
  if (!isFresh(macNode, now)) return 'its agent is silent';
  if (!isReady(macNode)) return 'not ready';
  if (!isEnrolledHardware(macNode)) return 'another hardware UUID than the enrolled one: enrol it again';
  if (isDegraded(macNode)) return 'a kernel slot has leaked: it needs a reboot';
  if (!isEmpty(macNode)) return 'machines or disks are left on it';
  if (node === null || node.metadata.deletionTimestamp !== undefined) return 'its node is not registered';
  if (node.spec.unschedulable === true) return 'its node is cordoned';
  return isUnleased(node) ? null : 'its node is not tainted unleased';
}
