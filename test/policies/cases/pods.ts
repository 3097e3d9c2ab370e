import { AGENT, onPod, OPERATOR, SCHEDULER, tolerations, vmContainer, vmPod, webPod } from '../requests';
import type { PolicyCases, Refused } from './case';

const create = (spec: Record<string, unknown>, name?: string) => onPod({ operation: 'CREATE', object: vmPod(spec, name) });
const without = (key: string) => tolerations.filter((t) => t.key !== key);
const changed = (change: Record<string, unknown>) => tolerations.map((t, i) => (i === 0 ? { ...t, ...change } : t));
const slots = (limits: string, requests: string) => [{ ...vmContainer, resources: { limits: { 'macrack.io/macos-vm': limits }, requests: { 'macrack.io/macos-vm': requests } } }];

const onMac = vmPod({ nodeName: 'mac-c02a' }, 'ci-vm-0', { phase: 'Running' });
const going = { ...onMac, metadata: { ...onMac.metadata, deletionTimestamp: '2026-11-29T10:00:00Z' } };
const POD_COLLECTOR = 'system:serviceaccount:kube-system:pod-garbage-collector';
const ended = vmPod({ nodeName: 'mac-c02a' }, 'ci-vm-0', { phase: 'Failed' });
const onLinux = webPod({ nodeName: 'worker-1' });

const toleration: Refused[] = [
  { by: 'tolerates every taint', sentence: 'a tenant tolerates everything', request: onPod({ operation: 'CREATE', user: 'dev', object: webPod({ tolerations: [{ operator: 'Exists' }] }) }) },
  { by: 'and nothing else', sentence: 'a VM pod tolerates the taint of another tenant', request: create({ tolerations: changed({ value: 'team-b' }) }) },
  { by: 'and nothing else', sentence: 'a VM pod tolerates the taint of every tenant', request: create({ tolerations: changed({ operator: 'Exists' }) }) },
  { by: 'and nothing else', sentence: 'a VM pod tolerates its tenant for an hour', request: create({ tolerations: changed({ tolerationSeconds: 3600 }) }) },
  { by: 'and nothing else', sentence: 'a VM pod tolerates an unleased Mac', request: create({ tolerations: [...tolerations, { key: 'macrack.io/unleased', operator: 'Exists' }] }) },
  { by: 'tolerates all of', sentence: 'a VM pod would be evicted from a Mac that is silent', request: create({ tolerations: without('node.kubernetes.io/unreachable') }) },
  { by: 'do not change', sentence: 'the effect of a toleration is widened later', request: onPod({ object: vmPod({ tolerations: changed({ effect: 'NoExecute' }) }) }) },
  { by: 'do not change', sentence: 'a pod on a Mac gains a toleration', request: onPod({ object: webPod({ nodeName: 'mac-c02a', tolerations: [{ key: 'dedicated', operator: 'Exists' }] }), oldObject: webPod({ nodeName: 'mac-c02a' }) }) },
];

const form: Refused[] = [
  { by: 'is named <lease>-vm-0', sentence: 'a third slot', request: create({}, 'ci-vm-2') },
  { by: 'is named <lease>-vm-0', sentence: 'a name that the server would make', request: onPod({ operation: 'CREATE', object: { ...vmPod(), metadata: { generateName: 'ci-vm-' } } }) },
  { by: 'exactly one macrack.io/macos-vm', sentence: 'a pod takes two slots', request: create({ containers: slots('2', '2') }) },
  { by: 'exactly one macrack.io/macos-vm', sentence: 'a pod tolerates the Mac and takes no slot', request: create({ containers: [{ name: 'vm', image: 'a' }] }) },
  { by: 'exactly one macrack.io/macos-vm', sentence: 'a second container', request: create({ containers: [vmContainer, { name: 'more', image: 'a' }] }) },
  { by: 'exactly one macrack.io/macos-vm', sentence: 'the slot is hidden in an init container', request: create({ initContainers: [vmContainer] }) },
  { by: 'exactly one macrack.io/macos-vm', sentence: 'an ephemeral container is added', request: onPod({ subResource: 'ephemeralcontainers', object: vmPod({ ephemeralContainers: [{ name: 'debug', image: 'a' }] }) }) },
  { by: 'exactly one macrack.io/macos-vm', sentence: 'a running pod is resized to two slots', request: onPod({ subResource: 'resize', object: vmPod({ containers: slots('2', '2') }) }) },
  { by: 'does not name the node', sentence: 'a tenant places a pod on a Mac past the scheduler', request: onPod({ operation: 'CREATE', user: 'dev', object: webPod({ nodeName: 'mac-c02a' }) }) },
  { by: 'selects the Mac of its lease', sentence: 'a VM pod that says of no Mac that it is its own', request: create({ nodeSelector: { 'kubernetes.io/os': 'darwin' } }) },
  { by: 'has priority 0', sentence: 'a VM pod would evict another', request: create({ priority: 2_000_001_000 }) },
  { by: 'has priority 0', sentence: 'a VM pod would be evicted first', request: create({ priority: -1 }) },
  { by: 'termination grace period', sentence: 'every deletion would be a forced one', request: create({ terminationGracePeriodSeconds: 0 }) },
  { by: 'placed by default-scheduler', sentence: 'another scheduler counts the slots', request: create({ schedulerName: 'mine' }) },
  { by: 'only the operator creates', sentence: 'a tenant creates a VM pod', request: onPod({ operation: 'CREATE', user: 'dev' }) },
];

export const podCases: PolicyCases[] = [
  {
    policy: 'p3-vm-pods',
    allowed: {
      'the operator creates a VM pod': onPod({ operation: 'CREATE' }),
      'a tenant creates a pod of its own': onPod({ operation: 'CREATE', user: 'dev', object: webPod() }),
      'a DaemonSet of the system runs on Linux': onPod({ operation: 'CREATE', user: 'system:serviceaccount:kube-system:daemon-set-controller', object: webPod({ tolerations: [{ operator: 'Exists' }], nodeSelector: { 'kubernetes.io/os': 'linux' } }) }),
      'a label of a VM pod changes': onPod({ user: 'admin', oldObject: onMac, object: onMac }),
      'an ordinary pod gains a toleration': onPod({ object: webPod({ tolerations: [{ key: 'dedicated', operator: 'Exists' }] }), oldObject: webPod() }),
    },
    refused: [...toleration, ...form],
  },
  {
    policy: 'p4-pod-binding',
    allowed: {
      'the scheduler binds a VM pod': onPod({ operation: 'CREATE', subResource: 'binding', user: SCHEDULER, object: { metadata: { name: 'ci-vm-1' }, target: { kind: 'Node', name: 'mac-c02a' } } }),
      'the scheduler binds a pod to Linux': onPod({ operation: 'CREATE', subResource: 'binding', user: SCHEDULER, object: { metadata: { name: 'web' }, target: { kind: 'Node', name: 'worker-1' } } }),
    },
    refused: [
      { by: 'only the scheduler', sentence: 'an administrator binds a third pod', request: onPod({ operation: 'CREATE', subResource: 'binding', user: 'admin', groups: ['system:masters'], object: { metadata: { name: 'ci-vm-0' }, target: { kind: 'Node', name: 'mac-c02a' } } }) },
      { by: 'only the scheduler', sentence: 'a pod is bound by the old way', request: onPod({ operation: 'CREATE', resource: 'bindings', user: 'admin', object: { metadata: { name: 'ci-vm-0' }, target: { kind: 'Node', name: 'mac-c02a' } } }) },
      { by: 'only a VM pod', sentence: 'the scheduler is made to bind another pod to a Mac', request: onPod({ operation: 'CREATE', subResource: 'binding', user: SCHEDULER, object: { metadata: { name: 'web' }, target: { kind: 'Node', name: 'mac-c02a' } } }) },
    ],
  },
  {
    policy: 'p5-vm-pod-delete',
    allowed: {
      'the operator deletes with grace': onPod({ operation: 'DELETE', object: null, oldObject: onMac, options: { gracePeriodSeconds: 120 } }),
      'the agent ends a pod whose machine is gone': onPod({ operation: 'DELETE', object: null, oldObject: onMac, user: AGENT, groups: ['system:nodes'], options: { gracePeriodSeconds: 0 } }),
      'a pod that has failed is removed': onPod({ operation: 'DELETE', object: null, oldObject: ended, options: { gracePeriodSeconds: 0 } }),
    },
    refused: [
      { by: 'by force', sentence: 'an administrator forces a deletion', request: onPod({ operation: 'DELETE', object: null, oldObject: onMac, user: 'admin', groups: ['system:masters'], options: { gracePeriodSeconds: 0 } }) },
      { by: 'by force', sentence: 'the agent of another Mac forces a deletion', request: onPod({ operation: 'DELETE', object: null, oldObject: onMac, user: 'system:node:mac-c02b', groups: ['system:nodes'], options: { gracePeriodSeconds: 0 } }) },
      { by: 'does not preempt', sentence: 'the scheduler preempts', request: onPod({ operation: 'DELETE', object: null, oldObject: onMac, user: SCHEDULER, options: { gracePeriodSeconds: 120 } }) },
    ],
    spared: { 'a pod on Linux is deleted by force': onPod({ operation: 'DELETE', object: null, oldObject: onLinux, user: 'admin', options: { gracePeriodSeconds: 0 } }) },
  },
  {
    policy: 'p5b-vm-pod-phase',
    allowed: {
      'the agent reports a crash': onPod({ subResource: 'status', oldObject: onMac, object: ended, user: AGENT, groups: ['system:nodes'] }),
      'a controller writes a condition': onPod({ subResource: 'status', oldObject: onMac, object: onMac, user: 'system:serviceaccount:kube-system:node-controller' }),
      'the pod collector fails a pod that is being deleted: its node is gone': onPod({ subResource: 'status', oldObject: going, object: { ...going, status: { phase: 'Failed' } }, user: POD_COLLECTOR }),
      'a failed pod stays failed': onPod({ subResource: 'status', oldObject: ended, object: ended }),
    },
    refused: [
      { by: 'sets a pod to Failed', sentence: 'the pod collector fails a pod whose machine may run', request: onPod({ subResource: 'status', oldObject: onMac, object: ended, user: POD_COLLECTOR }) },
      { by: 'sets a pod to Failed', sentence: 'the pod collector says that a machine ended well', request: onPod({ subResource: 'status', oldObject: going, object: { ...going, status: { phase: 'Succeeded' } }, user: POD_COLLECTOR }) },
      { by: 'sets a pod to Failed', sentence: 'an administrator fails a pod that is being deleted', request: onPod({ subResource: 'status', oldObject: going, object: { ...going, status: { phase: 'Failed' } }, user: 'admin', groups: ['system:masters'] }) },
      { by: 'sets a pod to Failed', sentence: 'the agent of another Mac ends the pod', request: onPod({ subResource: 'status', oldObject: onMac, object: { ...ended, status: { phase: 'Succeeded' } }, user: 'system:node:mac-c02b', groups: ['system:nodes'] }) },
    ],
    spared: { 'a pod on Linux fails': onPod({ subResource: 'status', oldObject: onLinux, object: { ...onLinux, status: { phase: 'Failed' } } }) },
  },
  {
    policy: 'p5c-vm-pod-eviction',
    allowed: { 'a pod on Linux is evicted': onPod({ operation: 'CREATE', subResource: 'eviction', object: { metadata: { name: 'web' } } }) },
    refused: [
      { by: 'is not evicted', sentence: 'a drain evicts a running machine', request: onPod({ operation: 'CREATE', subResource: 'eviction', user: OPERATOR, object: { metadata: { name: 'ci-vm-1' } } }) },
    ],
  },
];
