import { AGENT, onCluster, onOurs } from '../requests';
import type { PolicyCases } from './case';

const lease = (phase: string, ...finalizers: string[]) => ({ metadata: { name: 'ci', namespace: 'team-a', finalizers }, spec: { class: 'base' }, status: { phase } });
const bare = (phase: string) => ({ metadata: { name: 'ci', namespace: 'team-a' }, spec: { class: 'base' }, status: { phase } });
const floor = 'macrack.io/floor';
const vm = (...finalizers: string[]) => ({ metadata: { name: 'vm-1', namespace: 'team-a', finalizers }, spec: { leaseName: 'ci' } });

const made = '2026-11-30T10:00:00Z';
function claim(more: { finalizers?: string[]; deletionTimestamp?: string; minimumDuration?: string } = {}) {
  const { minimumDuration = '24h', ...metadata } = more;
  return { metadata: { name: 'c02a', creationTimestamp: made, ...metadata }, spec: { leaseName: 'ci', tenant: 'team-a', minimumDuration } };
}
const held = { finalizers: ['macrack.io/claim'] };
const release = (deletionTimestamp: string, minimumDuration = '24h') => onOurs('macnodebindings', { oldObject: claim({ ...held, deletionTimestamp, minimumDuration }), object: claim({ deletionTimestamp, minimumDuration }) });

export const leaseCases: PolicyCases[] = [
  {
    policy: 'p6-lease-finalizer',
    allowed: {
      'a tenant asks for the release': onOurs('macnodeleases', { user: 'dev', oldObject: lease('Bound', floor), object: lease('Bound', floor) }),
      'the operator lets a Released lease go': onOurs('macnodeleases', { oldObject: lease('Released', floor), object: bare('Released') }),
      'a lease that never had the finalizer changes': onOurs('macnodeleases', { user: 'dev', oldObject: bare('Pending'), object: bare('Pending') }),
    },
    refused: [
      { by: 'stays until the lease is Released', sentence: 'the operator lets a Held lease go', request: onOurs('macnodeleases', { oldObject: lease('Held', floor), object: bare('Held') }) },
      { by: 'only the operator takes', sentence: 'a tenant strips the finalizer of a Released lease', request: onOurs('macnodeleases', { user: 'dev', oldObject: lease('Released', floor), object: lease('Released') }) },
    ],
  },
  {
    policy: 'p6b-lease-status',
    allowed: { 'the operator writes the status': onOurs('macnodeleases', { subResource: 'status', oldObject: lease('Pending'), object: lease('Bound') }) },
    refused: [
      { by: 'only the operator writes', sentence: 'an administrator writes Released', request: onOurs('macnodeleases', { subResource: 'status', user: 'admin', groups: ['system:masters'], oldObject: lease('Bound'), object: lease('Released') }) },
    ],
  },
  {
    policy: 'p6c-instance-finalizer',
    allowed: {
      'a tenant stops its instance': onOurs('macosinstances', { user: 'dev', oldObject: vm('macrack.io/vm'), object: vm('macrack.io/vm') }),
      'the operator lets an instance go whose machine is gone': onOurs('macosinstances', { oldObject: vm('macrack.io/vm'), object: vm() }),
      'a finalizer of somebody else comes off': onOurs('macosinstances', { user: 'dev', oldObject: vm('example.com/backup'), object: vm() }),
    },
    refused: [
      { by: 'only the operator takes', sentence: 'a tenant strips the finalizer of a running instance', request: onOurs('macosinstances', { user: 'dev', oldObject: vm('macrack.io/vm', 'example.com/backup'), object: vm('example.com/backup') }) },
    ],
  },
  {
    policy: 'p6d-instance-status',
    allowed: { 'the operator writes the status': onOurs('macosinstances', { subResource: 'status', oldObject: vm(), object: vm() }) },
    refused: [
      { by: 'only the operator writes', sentence: 'an administrator calls a running instance Failed', request: onOurs('macosinstances', { subResource: 'status', user: 'admin', groups: ['system:masters'], oldObject: vm(), object: { ...vm(), status: { phase: 'Failed' } } }) },
    ],
  },
  {
    policy: 'p7-claims-and-clock',
    allowed: {
      'the operator claims a Mac': onOurs('macnodebindings', { operation: 'CREATE', object: claim(held) }),
      'the operator stamps the Clock': onOurs('clocks', { operation: 'CREATE', object: { metadata: { name: 'clock' } } }),
    },
    refused: [
      { by: 'only the operator', sentence: 'a tenant claims a Mac', request: onOurs('macnodebindings', { operation: 'CREATE', user: 'dev', object: claim(held) }) },
      { by: 'only the operator', sentence: 'an administrator strips a claim', request: onOurs('macnodebindings', { user: 'admin', oldObject: claim(held), object: claim() }) },
      { by: 'only the operator', sentence: 'an administrator deletes a claim', request: onOurs('macnodebindings', { operation: 'DELETE', user: 'admin', oldObject: claim(held) }) },
      { by: 'only the operator', sentence: 'somebody makes a Clock', request: onOurs('clocks', { operation: 'CREATE', user: 'dev', object: { metadata: { name: 'clock' } } }) },
      { by: 'only the operator', sentence: 'somebody changes the Clock', request: onOurs('clocks', { user: 'dev', oldObject: { metadata: { name: 'clock' } }, object: { metadata: { name: 'clock' } } }) },
      { by: 'only the operator', sentence: 'somebody stops the Clock', request: onOurs('clocks', { operation: 'DELETE', user: 'dev', oldObject: { metadata: { name: 'clock' } } }) },
    ],
  },
  {
    policy: 'p7b-claim-floor',
    allowed: {
      'a claim is made with its finalizer': onOurs('macnodebindings', { operation: 'CREATE', object: claim(held) }),
      'a claim is deleted: it stays, with a stamp': onOurs('macnodebindings', { operation: 'DELETE', oldObject: claim(held) }),
      'a claim whose deletion was stamped at its floor ends': release('2026-12-01T10:00:00Z'),
      'a claim of two days ends after two days': release('2026-12-02T10:00:01Z', '48h'),
    },
    refused: [
      { by: 'created with finalizer', sentence: 'a claim without a finalizer', request: onOurs('macnodebindings', { operation: 'CREATE', object: claim() }) },
      { by: 'named by the serial', sentence: 'a second claim on a Mac under another form of its serial', request: onOurs('macnodebindings', { operation: 'CREATE', object: { ...claim(held), metadata: { ...held, name: 'c02-a' } } }) },
      { by: 'without its finalizer is not deleted', sentence: 'a claim that lost its finalizer is deleted', request: onOurs('macnodebindings', { operation: 'DELETE', oldObject: claim() }) },
      { by: 'stamped after its floor', sentence: 'the finalizer is stripped from a claim that nobody deleted', request: onOurs('macnodebindings', { oldObject: claim(held), object: claim() }) },
      { by: 'stamped after its floor', sentence: 'a deletion one second early', request: release('2026-12-01T09:59:59Z') },
      { by: 'stamped after its floor', sentence: 'a claim of two days after a day', request: release('2026-12-01T10:00:01Z', '48h') },
      { by: 'stamped after its floor', sentence: 'a claim with a floor of an hour, which no schema admits, after an hour', request: release('2026-11-30T11:00:01Z', '1h') },
    ],
  },
];

const crd = (group: string, spec: Record<string, unknown> = {}) => ({ metadata: { name: `macnodeleases.${group}` }, spec: { group, ...spec }, status: {} });
const crds = (overrides: Parameters<typeof onCluster>[2]) => onCluster('apiextensions.k8s.io', 'customresourcedefinitions', { user: 'admin', groups: ['system:masters'], ...overrides });
const macNode = (name: string) => ({ metadata: { name }, spec: { serial: name } });
const agent = { user: AGENT, groups: ['system:nodes'] };

export const planeCases: PolicyCases[] = [
  {
    policy: 'p8b-crds',
    allowed: { 'the server reports that a CRD is established': crds({ subResource: 'status', oldObject: crd('macrack.io'), object: { ...crd('macrack.io'), status: { conditions: [] } } }) },
    refused: [
      { by: 'neither change nor go', sentence: 'an administrator loosens a schema', request: crds({ oldObject: crd('macrack.io'), object: crd('macrack.io', { versions: [] }) }) },
      { by: 'neither change nor go', sentence: 'an administrator deletes a CRD and so its objects', request: crds({ operation: 'DELETE', oldObject: crd('macrack.io') }) },
      { by: 'neither change nor go', sentence: 'a status write changes the schema', request: crds({ subResource: 'status', oldObject: crd('macrack.io'), object: crd('macrack.io', { versions: [] }) }) },
    ],
    spared: { 'a CRD of somebody else is deleted': crds({ operation: 'DELETE', oldObject: crd('example.com') }) },
  },
  {
    policy: 'p8d-namespace-finalize',
    allowed: { 'the namespace controller ends an empty namespace': onCluster('', 'namespaces', { subResource: 'finalize', user: 'system:serviceaccount:kube-system:namespace-controller', object: { metadata: { name: 'team-a' } } }) },
    refused: [
      { by: 'only the namespace controller', sentence: 'an administrator forces a namespace with a Held lease away', request: onCluster('', 'namespaces', { subResource: 'finalize', user: 'admin', groups: ['system:masters'], object: { metadata: { name: 'team-a' } } }) },
    ],
  },
  {
    policy: 'p9-agent-macnodes',
    allowed: { 'an agent reports': onOurs('macnodes', { ...agent, subResource: 'status', object: macNode('c02a'), oldObject: macNode('c02a') }) },
    refused: [
      { by: 'its own MacNode and nothing else', sentence: 'an agent enrols itself', request: onOurs('macnodes', { ...agent, operation: 'CREATE', object: macNode('c02a') }) },
      { by: 'its own MacNode and nothing else', sentence: 'an agent changes its class', request: onOurs('macnodes', { ...agent, object: macNode('c02a'), oldObject: macNode('c02a') }) },
      { by: 'its own MacNode and nothing else', sentence: 'an agent reports for another Mac', request: onOurs('macnodes', { ...agent, subResource: 'status', object: macNode('c02b'), oldObject: macNode('c02b') }) },
      { by: 'its own MacNode and nothing else', sentence: 'an agent retires itself', request: onOurs('macnodes', { ...agent, operation: 'DELETE', oldObject: macNode('c02a') }) },
    ],
    spared: { 'the administrator enrols a Mac': onOurs('macnodes', { user: 'admin', groups: ['system:masters'], operation: 'CREATE', object: macNode('c02a') }) },
  },
  {
    policy: 'p9c-macnode-status',
    allowed: { 'an agent reports': onOurs('macnodes', { ...agent, subResource: 'status', object: macNode('c02a'), oldObject: macNode('c02a') }) },
    refused: [
      { by: 'only the agent of a Mac', sentence: 'an administrator calls a Mac wiped', request: onOurs('macnodes', { user: 'admin', groups: ['system:masters'], subResource: 'status', object: macNode('c02a'), oldObject: macNode('c02a') }) },
      { by: 'only the agent of a Mac', sentence: 'an agent reports for another Mac', request: onOurs('macnodes', { ...agent, subResource: 'status', object: macNode('c02b'), oldObject: macNode('c02b') }) },
    ],
  },
  {
    policy: 'p9b-agent-instances',
    allowed: {},
    refused: [
      { by: 'does not write instances', sentence: 'an agent makes an instance', request: onOurs('macosinstances', { ...agent, operation: 'CREATE', object: { metadata: { name: 'a' } } }) },
      { by: 'does not write instances', sentence: 'an agent changes an instance', request: onOurs('macosinstances', { ...agent, object: { metadata: { name: 'a' } }, oldObject: { metadata: { name: 'a' } } }) },
      { by: 'does not write instances', sentence: 'an agent writes an address', request: onOurs('macosinstances', { ...agent, subResource: 'status', object: { metadata: { name: 'a' } }, oldObject: { metadata: { name: 'a' } } }) },
      { by: 'does not write instances', sentence: 'an agent deletes an instance', request: onOurs('macosinstances', { ...agent, operation: 'DELETE', oldObject: { metadata: { name: 'a' } } }) },
    ],
    spared: { 'a tenant makes an instance': onOurs('macosinstances', { user: 'dev', operation: 'CREATE', object: { metadata: { name: 'a' } } }) },
  },
];
