import type { MacNode, MacNodeBinding, Node } from '../../../sdk/api';
import { parseInstant } from '../../../sdk/rules/instant';
import { whyNotBindable, type MacFacts } from './bindable';

const now = parseInstant('2026-11-29T10:00:00Z');
const stored = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-29T09:00:00Z' };

const status: NonNullable<MacNode['status']> = {
  lastSeen: '2026-11-29T09:59:50Z', hardwareUUID: 'HW-1', vmCount: 0, vms: [], disks: [], leaked: 0,
  conditions: [{ type: 'Ready', status: 'True', reason: 'AgentReady', message: '', lastTransitionTime: '2026-11-29T09:00:00Z' }],
};
const macNode = (change: Partial<typeof status> = {}, spec: Partial<MacNode['spec']> = {}): MacNode => ({ apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: 'c02a', ...stored }, spec: { class: 'base', serial: 'c02a', hardwareUUID: 'hw-1', cordoned: false, retired: false, ...spec }, status: { ...status, ...change } });
const node = (spec: Node['spec'] = { taints: [{ key: 'macrack.io/unleased', effect: 'NoSchedule' }] }): Node => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'mac-c02a', ...stored }, spec });
const claim: MacNodeBinding = {
  apiVersion: 'macrack.io/v1', kind: 'MacNodeBinding', metadata: { name: 'c02a', ...stored },
  spec: { leaseNamespace: 'tenant-b', leaseName: 'l', leaseUID: 'l-1', namespaceUID: 'n-1', tenant: 'tenant-b', minimumDuration: '24h' },
};
const free: MacFacts = { macNode: macNode(), node: node(), claim: null };
const vm = { instanceUID: 'i', podUID: 'p', leaseUID: 'l', bindingUID: 'b', machineID: 'm', mac: '02:00:00:00:00:01', state: 'Running' as const, startedAt: '2026-11-29T09:00:00Z' };

it('a Mac that is ready, fresh, empty and unleased is bindable', () => {
  expect(whyNotBindable(free, now)).toBeNull();
});

it.each<[string, Partial<MacFacts>]>([
  ['one that has a claim', { claim }],
  ['one that is not enrolled', { macNode: null }],
  ['one whose agent has been silent for 40 seconds', { macNode: macNode({ lastSeen: '2026-11-29T09:59:20Z' }) }],
  ['one that is not Ready', { macNode: macNode({ conditions: [] }) }],
  ['one with other hardware than was enrolled', { macNode: macNode({ hardwareUUID: 'hw-2' }) }],
  ['one with a leaked slot', { macNode: macNode({ leaked: 1 }) }],
  ['one that still runs a machine', { macNode: macNode({ vmCount: 1, vms: [vm] }) }],
  ['one with a disk left on it', { macNode: macNode({ disks: [{ instanceUID: 'i', bindingUID: 'b', tenant: 'tenant-b' }] }) }],
  ['one that has no node', { node: null }],
  ['one that is cordoned', { macNode: macNode({}, { cordoned: true }) }],
  ['one that is retired', { macNode: macNode({}, { retired: true }) }],
  ['one whose node is cordoned', { node: node({ unschedulable: true, taints: [{ key: 'macrack.io/unleased', effect: 'NoSchedule' }] }) }],
  ['one whose node has the taint of a tenant', { node: node({ taints: [{ key: 'macrack.io/tenant', value: 'tenant-b', effect: 'NoSchedule' }] }) }],
])('a Mac is not bindable: %s', (_what, change) => {
  expect(whyNotBindable({ ...free, ...change }, now)).not.toBeNull();
});
