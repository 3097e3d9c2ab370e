import { Annotation, Label, podName, Taint, VM_RESOURCE, type MacNodeBinding, type MacOSInstance } from '../../../sdk/api';
import type { Toleration } from '../../../sdk/api/core-objects';
import type { NewObject } from '../../../sdk/api/object';

const GRACE_SECONDS = 120;

/** All that a machine's pod tolerates: its tenant's chassis, and a lost node, since a machine outlives a broken connection. */
export function tolerationsOf(namespace: string): Toleration[] {
  return [
    { key: Taint.Tenant, operator: 'Equal', value: namespace, effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  ];
}

/** The pod of an instance. Its name is its slot, so that a second pod for a slot is a conflict. */
export function podOf(instance: MacOSInstance, slot: number, claim: MacNodeBinding): NewObject {
  const { metadata, spec } = instance;
  const namespace = metadata.namespace ?? '';
  return {
    metadata: {
      name: podName(spec.leaseName, slot), namespace,
      labels: { [Label.Instance]: metadata.name, [Label.Lease]: spec.leaseName },
      annotations: {
        [Annotation.InstanceUID]: metadata.uid, [Annotation.LeaseUID]: claim.spec.leaseUID,
        [Annotation.BindingUID]: claim.metadata.uid, [Annotation.Shape]: JSON.stringify(spec.shape),
      },
    },
    spec: {
      containers: [{ name: 'vm', image: spec.image, resources: { requests: { [VM_RESOURCE]: '1' }, limits: { [VM_RESOURCE]: '1' } } }],
      nodeSelector: { [Label.NodeSerial]: claim.metadata.name },
      tolerations: tolerationsOf(namespace),
      restartPolicy: 'Never', automountServiceAccountToken: false, terminationGracePeriodSeconds: GRACE_SECONDS,
    },
  };
}
