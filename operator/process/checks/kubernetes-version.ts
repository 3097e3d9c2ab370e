import type { ConnectedPlane } from '../../../sdk/client/control-plane';
import { ask } from './ask';
import type { Check } from './check';
import { bad, Fault, GOOD, unknown, type Finding } from './finding';

/** Older schedulers print the taints of other tenants in a pod's events. */
const LEAST_MINOR = 35;

/** What follows from a release of Kubernetes such as `v1.37.2` or `v1.36.1-gke.100`. */
export function judgeVersion(version: string): Finding {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return unknown(Fault.PlaneUnavailable, `the API server calls its version ${JSON.stringify(version)}`);
  if (Number(major) > 1 || Number(minor) >= LEAST_MINOR) return GOOD;
  return bad(Fault.KubernetesTooOld, `Kubernetes is ${version}; MacRack needs 1.${LEAST_MINOR} or later. Upgrade the control plane.`);
}

export function versionCheck(plane: Pick<ConnectedPlane, 'serverVersion'>): Check {
  return { name: 'kubernetes', halts: true, everyMs: 30_000, look: () => ask(async () => judgeVersion(await plane.serverVersion())) };
}
