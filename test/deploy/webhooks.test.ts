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
