import type { Pod } from '../../sdk/api/core-objects';
import { Annotation, Label } from '../../sdk/api/names';
import { shapeSchema } from '../../sdk/api/mac-os-instance';
import type { VmSpec } from '../driver';
import type { RunFacts } from '../journal/line';

const GRACE_SECONDS = 120;

/** Whose machine a pod asks for. Annotations that are missing are empty: an empty claim matches none. */
export function runFacts(pod: Pod): RunFacts {
  const { uid, name, namespace = '', annotations = {}, labels = {} } = pod.metadata;
  return {
    instanceUID: annotations[Annotation.InstanceUID] ?? '',
    instance: labels[Label.Instance] ?? '',
    pod: name,
    podUID: uid,
    leaseUID: annotations[Annotation.LeaseUID] ?? '',
    bindingUID: annotations[Annotation.BindingUID] ?? '',
    tenant: namespace,
    graceSeconds: pod.spec.terminationGracePeriodSeconds ?? GRACE_SECONDS,
  };
}

/** What to create for a pod. Throws on a shape that is missing or is none. */
export function vmSpec(pod: Pod): VmSpec {
  const shape = shapeSchema.parse(JSON.parse(pod.metadata.annotations?.[Annotation.Shape] ?? 'null'));
  return { instanceUID: runFacts(pod).instanceUID, image: pod.spec.containers[0]?.image ?? '', shape };
}
