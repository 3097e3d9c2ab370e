import type { CertificateSigningRequest } from '../../sdk/api/core-objects';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { certify } from './certify';
import { operatorKubeconfig } from './kubeconfig';
import { endOfOperatorCertificate, newSigningRequest } from './signing-request';

/** A cluster that answers an approved request so. */
function cluster(answer: CertificateSigningRequest['status']) {
  const done: string[] = [];
  const created: Record<string, unknown>[] = [];
  const object = { metadata: { name: 'x' }, ...(answer !== undefined && { status: answer }) };
  const plane = {
    create: (_kind: unknown, asked: { spec: Record<string, unknown> }) => { done.push('create'); created.push(asked.spec); return Promise.resolve(object); },
    patch: (_kind: unknown, _ref: unknown, _patch: unknown, { subresource }: { subresource: string }) => { done.push(subresource); return Promise.resolve(object); },
    get: () => Promise.resolve(object),
    remove: () => { done.push('remove'); return Promise.resolve(); },
  } as unknown as ControlPlane;
  return { plane, done, created };
}

describe('the certificate of the operator', () => {
  it('is asked for, approved by who asks, and its request goes again', async () => {
    const { plane, done, created } = cluster({ certificate: Buffer.from('PEM').toString('base64') });
    expect(await certify(plane, 'REQUEST', 3600)).toBe('PEM');
    expect(done).toEqual(['create', 'approval', 'remove']);
    expect(created).toEqual([{ request: Buffer.from('REQUEST').toString('base64'), signerName: 'kubernetes.io/kube-apiserver-client', usages: ['digital signature', 'client auth'], expirationSeconds: 3600 }]);
  });

  it('is refused in the words of the cluster, and its request goes too', async () => {
    const { plane, done } = cluster({ conditions: [{ type: 'Failed', status: 'True', message: 'the signer has no key' }] });
    await expect(certify(plane, 'REQUEST', 3600)).rejects.toThrow(/did not sign certificate request x: Failed: the signer has no key/);
    expect(done.at(-1)).toBe('remove');
  });

  it('must be the operator\'s', () => {
    expect(() => endOfOperatorCertificate('nothing')).toThrow();
  });

  it('is asked for by the one name that the policies know', async () => {
    const { request, key } = await newSigningRequest();
    expect(request).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----/);
    expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });

  it('is in a kubeconfig that names the server and its authority', () => {
    const text = operatorKubeconfig({ server: 'https://10.0.0.1:6443', ca: 'CA', certificate: 'CERT', key: 'KEY' });
    expect(text).toContain('server: https://10.0.0.1:6443');
    expect(text).toContain(`certificate-authority-data: ${Buffer.from('CA').toString('base64')}`);
  });
});
