import { GROUP, Kinds, type Kind } from '../../../sdk/api';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import { isFault } from '../../../sdk/client/errors';
import { ask } from './ask';
import type { Check } from './check';
import { bad, Fault, GOOD } from './finding';

const OURS: readonly Kind[] = Object.values(Kinds).filter((kind) => kind.group === GROUP);

/** True if the server serves the kind. An object that is not there tells: the answer names it, and that of an unknown kind names nothing. */
async function isServed(plane: ControlPlane, kind: Kind, namespace: string): Promise<boolean> {
  try {
    await plane.tryGet(kind, { name: 'macrackprobe', ...(kind.namespaced ? { namespace } : {}) });
    return true;
  } catch (error) {
    if (isFault(error, 'Unexpected') && error.detail.code === 404) return false;
    // That it may not be read is another check's finding.
    if (isFault(error, 'Forbidden')) return true;
    throw error;
  }
}

export function customResourceCheck(plane: ControlPlane, namespace: string): Check {
  return {
    name: 'custom-resources', halts: true, everyMs: 30_000,
    look: () => ask(async () => {
      const served = await Promise.all(OURS.map((kind) => isServed(plane, kind, namespace)));
      const missing = OURS.filter((_, i) => served[i] === false).map(({ plural, group }) => `${plural}.${group}`);
      if (missing.length === 0) return GOOD;
      return bad(Fault.CustomResourceMissing, `not installed: ${missing.join(', ')}. Apply the CustomResourceDefinitions of this release (deploy/crds).`);
    }),
  };
}
