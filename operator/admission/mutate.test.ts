import { applyJsonPatch } from '../../devplane/admission/json-patch';
import type { Json } from '../../devplane/json';
import { mutate } from './mutate';
import type { AdmissionRequest } from './review';

const request = (kind: string, of: Partial<AdmissionRequest>): AdmissionRequest => ({
  uid: 'u', kind: { group: kind === 'Pod' ? '' : 'macrack.io', kind }, operation: 'CREATE', namespace: 'tenant-a', userInfo: { username: 'alice' }, ...of,
});
const object = (spec: object, annotations?: Record<string, string>) => ({
  apiVersion: 'v1', kind: 'X', metadata: { name: 'x', uid: '1', resourceVersion: '1', creationTimestamp: '', ...(annotations === undefined ? {} : { annotations }) }, spec,
});
// The development plane applies what the webhook answers, as an API server does.
const result = (r: AdmissionRequest) => {
  const operations = JSON.parse(Buffer.from(mutate(r).patch ?? '', 'base64').toString() || '[]') as Json[];
  return applyJsonPatch(r.object as unknown as Json, operations) as unknown as { metadata: { annotations?: Record<string, string> }; spec: { tolerations?: unknown[] } };
};

describe('the mutating webhook', () => {
  it('stamps who creates a lease, over what the tenant wrote', () => {
    const made = result(request('MacNodeLease', { object: object({}, { 'macrack.io/requested-by': 'mallory', keep: 'me' }) }));
    expect(made.metadata.annotations).toEqual({ 'macrack.io/requested-by': 'alice', keep: 'me' });
  });

  it('keeps the stamp on an update, whoever writes', () => {
    const old = object({}, { 'macrack.io/requested-by': 'alice' });
    expect(result(request('MacOSInstance', { operation: 'UPDATE', userInfo: { username: 'bob' }, oldObject: old, object: object({}) })).metadata.annotations).toEqual({ 'macrack.io/requested-by': 'alice' });
  });

  it('stamps who asks for a release, keeps that while it stands, and takes it away when the release is taken back', () => {
    const young = object({ release: false });
    const asked = result(request('MacNodeLease', { operation: 'UPDATE', oldObject: young, object: object({ release: true }, { 'macrack.io/release-requested-by': 'mallory' }) }));
    expect(asked.metadata.annotations).toEqual({ 'macrack.io/release-requested-by': 'alice' });
    const held = object({ release: true }, { 'macrack.io/release-requested-by': 'alice' });
    expect(result(request('MacNodeLease', { operation: 'UPDATE', userInfo: { username: 'operator' }, oldObject: held, object: held })).metadata.annotations).toEqual(held.metadata.annotations);
    expect(result(request('MacNodeLease', { operation: 'UPDATE', oldObject: held, object: object({ release: false }, held.metadata.annotations) })).metadata.annotations).toEqual({});
  });

  it('sets exactly the three tolerations of the namespace on a VM pod, and touches no other pod', () => {
    const containers = [{ name: 'vm', image: 'i', resources: { limits: { 'macrack.io/macos-vm': '1' } } }];
    const pod = result(request('Pod', { object: object({ containers, tolerations: [{ operator: 'Exists' }] }) }));
    expect(pod.spec.tolerations).toEqual([
      { key: 'macrack.io/tenant', operator: 'Equal', value: 'tenant-a', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
    ]);
    expect(mutate(request('Pod', { object: object({ containers: [{ name: 'c', image: 'i' }] }) }))).toEqual({ uid: 'u', allowed: true });
  });
});
