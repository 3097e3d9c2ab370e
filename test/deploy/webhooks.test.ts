import { environment, toCel } from '../policies/cel';
import { manifests } from './manifests';

interface Configuration {
  kind: string;
  metadata: { name: string };
  webhooks: ({ name: string; clientConfig: { url: string }; rules: { operations: string[]; apiGroups: string[]; resources: string[] }[] } & Record<string, unknown>)[];
}

const configurations = manifests<Configuration>('webhooks');

/** `resource:OPERATION` of all that a configuration is asked about. */
function asked(kind: string): string[] {
  const webhooks = configurations.filter((configuration) => configuration.kind === kind).flatMap(({ webhooks }) => webhooks);
  return webhooks.flatMap(({ rules }) => rules.flatMap(({ operations, resources }) => resources.flatMap((resource) => operations.map((operation) => `${resource}:${operation}`)))).sort();
}

test('the mutating webhook stamps leases and instances and sees new pods', () => {
  expect(asked('MutatingWebhookConfiguration')).toEqual(['macnodeleases:CREATE', 'macnodeleases:UPDATE', 'macosinstances:CREATE', 'macosinstances:UPDATE', 'pods:CREATE']);
});

test('the validating webhook judges leases, instances, new pods and the end of claims', () => {
  expect(asked('ValidatingWebhookConfiguration')).toEqual([
    'macnodebindings:DELETE', 'macnodeleases:CREATE', 'macnodeleases:DELETE', 'macnodeleases:UPDATE', 'macosinstances:CREATE', 'macosinstances:DELETE', 'macosinstances:UPDATE', 'pods:CREATE',
  ]);
});

test.each(configurations.map((configuration) => [configuration.metadata.name, configuration] as const))('%s fails closed, within five seconds, without a selector', (name, { webhooks }) => {
  const [webhook, ...more] = webhooks;
  expect(more).toEqual([]);
  expect(webhook).toMatchObject({ name, failurePolicy: 'Fail', timeoutSeconds: 5, sideEffects: 'NoneOnDryRun', matchPolicy: 'Equivalent', admissionReviewVersions: ['v1'] });
  expect(webhook).not.toHaveProperty('namespaceSelector');
  expect(webhook).not.toHaveProperty('objectSelector');
  expect(webhook?.clientConfig.url).toBe(`https://127.0.0.1:9443/${name.split('.')[0]}`);
});

describe.each(configurations.map((configuration) => [configuration.metadata.name, configuration] as const))('%s is asked', (_name, { webhooks }) => {
  const conditions = (webhooks[0]?.['matchConditions'] ?? []) as { expression: string }[];
  const isAsked = (group: string, resource: string, spec: object): boolean => {
    const context = { object: toCel({ metadata: { name: 'x' }, spec }), oldObject: null, request: { resource: { group, resource } } };
    return conditions.every(({ expression }) => environment().evaluate(expression, context) === true);
  };
  const containers = [{ name: 'web', image: 'nginx', resources: { limits: { cpu: '1' } } }];
  const slot = { limits: { 'macrack.io/macos-vm': '1' } };

  test.each([
    ['a lease', 'macrack.io', 'macnodeleases', { class: 'base' }],
    ['the end of a claim', 'macrack.io', 'macnodebindings', {}],
    ['a pod that is limited to a slot', '', 'pods', { containers: [{ name: 'vm', resources: slot }] }],
    ['a pod that requests a slot', '', 'pods', { containers: [{ name: 'vm', resources: { requests: slot.limits } }] }],
    ['a pod that hides the slot in an init container', '', 'pods', { containers, initContainers: [{ name: 'vm', resources: slot }] }],
    ['a pod that names the node of a Mac', '', 'pods', { containers, nodeName: 'mac-c02a' }],
    ['a pod that selects a Mac', '', 'pods', { containers, nodeSelector: { 'node-restriction.kubernetes.io/macrack-serial': 'c02a' } }],
    ['a pod that tolerates a tenant', '', 'pods', { containers, tolerations: [{ operator: 'Exists', effect: 'NoExecute' }, { key: 'macrack.io/tenant', operator: 'Exists' }] }],
  ])('about %s', (_what, group, resource, spec) => {
    expect(isAsked(group, resource, spec)).toBe(true);
  });

  test.each([
    ['of a shared cluster', { containers }],
    ['on a Linux node', { containers, nodeName: 'worker-1', nodeSelector: { 'kubernetes.io/os': 'linux' }, tolerations: [{ operator: 'Exists' }, { key: 'node.kubernetes.io/not-ready', operator: 'Exists' }] }],
  ])('nothing about a pod %s, which does not wait while the operator is down', (_what, spec) => {
    expect(isAsked('', 'pods', spec)).toBe(false);
  });
});
