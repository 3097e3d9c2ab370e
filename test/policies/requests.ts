import type { AdmissionRequest } from './policy';

type Overrides = Partial<Omit<AdmissionRequest, 'userInfo'>> & { user?: string; groups?: string[] };

export const OPERATOR = 'macrack-operator';
export const SCHEDULER = 'system:kube-scheduler';
export const AGENT = 'system:node:mac-c02a';

function request(defaults: Overrides, overrides: Overrides): AdmissionRequest {
  const { user = OPERATOR, groups = [], operation = 'UPDATE', object = null, oldObject = null, ...rest } = { ...defaults, ...overrides };
  return { group: '', resource: '', options: {}, ...rest, operation, object, oldObject: operation === 'CREATE' ? null : oldObject, userInfo: { username: user, groups: [...groups, 'system:authenticated'] } };
}

export const unleased = { key: 'macrack.io/unleased', effect: 'NoSchedule' };
export const tenantTaint = (value: string, effect = 'NoSchedule') => ({ key: 'macrack.io/tenant', value, effect });

/** Node mac-c02a, unleased, as its agent registers it. */
export function node(taints: unknown[] = [unleased], more: { name?: string; labels?: Record<string, string>; capacity?: Record<string, string>; allocatable?: Record<string, string> } = {}) {
  const slots = { 'macrack.io/macos-vm': '2', pods: '2', cpu: '8' };
  return {
    metadata: { name: more.name ?? 'mac-c02a', labels: more.labels ?? { 'macrack.io/serial': 'c02a', 'kubernetes.io/os': 'darwin' } },
    spec: { taints },
    status: { capacity: more.capacity ?? slots, allocatable: more.allocatable ?? slots },
  };
}

export function onNode(overrides: Overrides): AdmissionRequest {
  return request({ resource: 'nodes', user: AGENT, groups: ['system:nodes'], object: node(), oldObject: node() }, overrides);
}

const outage = ['not-ready', 'unreachable'].map((name) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect: 'NoExecute' }));

export const tolerations = [{ key: 'macrack.io/tenant', operator: 'Equal', value: 'team-a', effect: 'NoSchedule' }, ...outage];

export const vmContainer = { name: 'vm', image: 'ghcr.io/acme/macos:15', resources: { limits: { 'macrack.io/macos-vm': '1' }, requests: { 'macrack.io/macos-vm': '1' } } };

/** The pod of slot 0 of lease ci in namespace team-a, as the server has it after its defaults. */
export function vmPod(spec: Record<string, unknown> = {}, name = 'ci-vm-0', status: Record<string, unknown> = { phase: 'Pending' }) {
  return {
    metadata: { name, namespace: 'team-a' },
    spec: { containers: [vmContainer], tolerations, nodeSelector: { 'node-restriction.kubernetes.io/macrack-serial': 'c02a' }, restartPolicy: 'Never', terminationGracePeriodSeconds: 120, priority: 0, schedulerName: 'default-scheduler', ...spec },
    status,
  };
}

/** A pod that has nothing to do with Macs. */
export function webPod(spec: Record<string, unknown> = {}) {
  return { metadata: { name: 'web', namespace: 'team-a' }, spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec }, status: { phase: 'Pending' } };
}

export function onPod(overrides: Overrides): AdmissionRequest {
  return request({ resource: 'pods', namespace: 'team-a', object: vmPod(), oldObject: vmPod() }, overrides);
}

export function onOurs(resource: string, overrides: Overrides): AdmissionRequest {
  return request({ group: 'macrack.io', resource }, overrides);
}

export function onCluster(group: string, resource: string, overrides: Overrides): AdmissionRequest {
  return request({ group, resource }, overrides);
}
