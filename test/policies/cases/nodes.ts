import { node, onNode, OPERATOR, tenantTaint, unleased } from '../requests';
import type { PolicyCases } from './case';

const four = { 'macrack.io/macos-vm': '4', pods: '2' };
const wide = { 'macrack.io/macos-vm': '2', pods: '110' };
const leased = node([tenantTaint('team-a')]);
const outOfService = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' };
const operator = { user: OPERATOR, groups: [] };

export const nodeCases: PolicyCases[] = [
  {
    policy: 'p1-node-capacity',
    allowed: {
      'an agent registers its Mac with two slots': onNode({ operation: 'CREATE' }),
      'an agent reports its status': onNode({ subResource: 'status' }),
      'a degraded Mac offers one slot': onNode({ subResource: 'status', object: node([unleased], { allocatable: { 'macrack.io/macos-vm': '1', pods: '1' } }) }),
    },
    refused: [
      { by: 'at most two VM slots', sentence: 'a Mac registers with four slots', request: onNode({ operation: 'CREATE', object: node([unleased], { capacity: four }) }) },
      { by: 'at most two VM slots', sentence: 'an agent raises its allocatable slots', request: onNode({ subResource: 'status', object: node([unleased], { allocatable: four }) }) },
      { by: 'at most two VM slots', sentence: 'an agent raises its pods', request: onNode({ subResource: 'status', object: node([unleased], { capacity: wide }) }) },
      { by: 'label macrack.io/serial', sentence: 'a node takes the serial of another Mac', request: onNode({ object: node([unleased], { labels: { 'macrack.io/serial': 'c02b', 'kubernetes.io/os': 'darwin' } }) }) },
      { by: 'label macrack.io/serial', sentence: 'a node drops its serial', request: onNode({ object: node([unleased], { labels: { 'kubernetes.io/os': 'darwin' } }) }) },
      { by: 'kubernetes.io/os=darwin', sentence: 'a Mac says that it runs Linux', request: onNode({ object: node([unleased], { labels: { 'macrack.io/serial': 'c02a', 'kubernetes.io/os': 'linux' } }) }) },
    ],
    spared: { 'a Linux node has 110 pods': onNode({ object: node([], { name: 'worker-1', capacity: wide, labels: {} }) }) },
  },
  {
    policy: 'p1d-node-delete',
    allowed: { 'an unleased Mac is taken out of the cluster': onNode({ operation: 'DELETE', object: null, user: 'admin', groups: ['system:masters'] }) },
    refused: [
      { by: 'is not deleted', sentence: 'an administrator deletes the node of a leased Mac', request: onNode({ operation: 'DELETE', object: null, oldObject: leased, user: 'admin', groups: ['system:masters'] }) },
    ],
    spared: { 'a Linux node is deleted': onNode({ operation: 'DELETE', object: null, oldObject: node([], { name: 'worker-1' }) }) },
  },
  {
    policy: 'p2-node-taints',
    allowed: {
      'a Mac registers unleased': onNode({ operation: 'CREATE' }),
      'the operator gives the Mac to a tenant': onNode({ ...operator, object: leased }),
      'the operator takes the Mac back': onNode({ ...operator, oldObject: leased }),
      'an agent reports the status of a leased Mac': onNode({ subResource: 'status', object: leased, oldObject: leased }),
      'a Mac that was marked out of service before goes on reporting': onNode({ subResource: 'status', object: node([unleased, outOfService]), oldObject: node([unleased, outOfService]) }),
      'the node controller adds its own taint': onNode({ user: 'system:serviceaccount:kube-system:node-controller', object: node([unleased, { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }]) }),
    },
    refused: [
      { by: 'of one tenant', sentence: 'a Mac would be unleased and leased at once', request: onNode({ ...operator, object: node([unleased, tenantTaint('team-a')]) }) },
      { by: 'of one tenant', sentence: 'a Mac would have two tenants', request: onNode({ ...operator, object: node([tenantTaint('team-a'), tenantTaint('team-b')]) }) },
      { by: 'of one tenant', sentence: 'a Mac would have a tenant without a name', request: onNode({ ...operator, object: node([tenantTaint('')]) }) },
      { by: 'effect NoSchedule', sentence: 'the operator weakens the taint', request: onNode({ ...operator, object: node([{ ...unleased, effect: 'PreferNoSchedule' }]) }) },
      { by: 'registered with', sentence: 'an agent registers its Mac as leased', request: onNode({ operation: 'CREATE', object: leased }) },
      { by: 'only through macrack.io/unleased', sentence: 'the operator swaps one tenant for another', request: onNode({ ...operator, oldObject: leased, object: node([tenantTaint('team-b')]) }) },
      { by: 'node.kubernetes.io/out-of-service', sentence: 'an administrator marks a Mac out of service, so that its pods are collected', request: onNode({ user: 'admin', groups: ['system:masters'], object: node([tenantTaint('team-a'), outOfService]), oldObject: leased }) },
      { by: 'node.kubernetes.io/out-of-service', sentence: 'an agent registers its Mac as out of service', request: onNode({ operation: 'CREATE', object: node([unleased, outOfService]) }) },
      { by: 'only the operator', sentence: 'an administrator takes the tenant off', request: onNode({ user: 'admin', groups: ['system:masters'], oldObject: leased }) },
      { by: 'only the operator', sentence: 'an agent leases its own Mac by a status write', request: onNode({ subResource: 'status', object: leased }) },
    ],
    spared: { 'a Linux node has no MacRack taint': onNode({ object: node([], { name: 'worker-1' }) }) },
  },
];
