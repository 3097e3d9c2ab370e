import { PlaneError } from '../../../sdk/client/errors';
import { parseInstant } from '../../../sdk/rules/instant';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { WatchedClock } from './clock';
import { judgeVersion } from './kubernetes-version';
import { judgeDenial } from './policies';
import { missingRights, neededRights } from './rights';
import { judgeCertificate } from './webhooks';

describe('a release of Kubernetes', () => {
  it.each(['v1.35.0', 'v1.37.2', 'v1.36.1-gke.100', 'v1.40.0+k3s1', 'v2.0.0'])('%s is recent enough', (version) => {
    expect(judgeVersion(version)).toEqual({ state: 'good' });
  });
  it.each(['v1.34.9', 'v1.9.0', 'v1.34.9-eks-1'])('%s is too old, and the message says what is needed', (version) => {
    expect(judgeVersion(version)).toMatchObject({ state: 'bad', fault: 'KubernetesTooOld', message: `Kubernetes is ${version}; MacRack needs 1.35 or later. Upgrade the control plane.` });
  });
  it('is unknown where the server calls it what nobody understands', () => {
    expect(judgeVersion('main')).toMatchObject({ state: 'unknown' });
  });
});

describe('the denial of a claim without its finalizer', () => {
  const denial = (said: string) => new PlaneError({ fault: 'Forbidden', method: 'POST', path: '/x', code: 403 }, said);
  const by = (policy: string) => denial(`macnodebindings.macrack.io "macrackprobe" is forbidden: ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: macrack: a claim is created with finalizer macrack.io/claim`);

  it('by a file of the API server is tamper-proof', () => {
    expect(judgeDenial(by('p7b-claim-floor.macrack.static.k8s.io'))).toEqual({ finding: { state: 'good' }, tamperProof: true });
  });
  it('by an object of the API holds, and is not tamper-proof', () => {
    expect(judgeDenial(by('p7b-claim-floor.macrack.io'))).toEqual({ finding: { state: 'good' }, tamperProof: false });
  });
  it('by the policy that knows the operator by its name says that this is not the operator', () => {
    expect(judgeDenial(by('p7-claims-and-clock.macrack.static.k8s.io')).finding).toMatchObject({ state: 'bad', fault: 'RightMissing', message: expect.stringContaining('macrack-operator') as string });
  });
  it('for lack of a right proves nothing', () => {
    expect(judgeDenial(denial('User "x" cannot create resource "macnodebindings"')).finding).toMatchObject({ state: 'unknown' });
  });
});

describe('the certificate of the webhooks', () => {
  const until = (notAfter: number, authorityNotAfter: number) => ({ current: { certificatePem: '', keyPem: '', issuedAt: 0, notAfter }, authorityNotAfter });
  it('is good until it ends', () => {
    expect(judgeCertificate(until(1_000, 2_000), 999)).toEqual({ state: 'good' });
    expect(judgeCertificate(until(1_000, 2_000), 1_000)).toMatchObject({ state: 'bad', fault: 'WebhookCertificateExpired', message: expect.stringMatching(/certificate expired at 1970-01-01T00:00:01.000Z/) as string });
  });
  it('ends with its CA', () => {
    expect(judgeCertificate(until(2_000, 2_000), 2_000)).toMatchObject({ message: expect.stringMatching(/CA expired .* put it into the webhook configurations/) as string });
  });
});

describe('rights', () => {
  it('are those of deploy/rbac/operator.yaml, in its namespace where they are of a Role', () => {
    const rights = neededRights('elsewhere');
    expect(rights).toContainEqual({ group: 'macrack.io', resource: 'macnodebindings', verb: 'create' });
    expect(rights).toContainEqual({ group: 'macrack.io', resource: 'macnodeleases', subresource: 'status', verb: 'patch' });
    expect(rights).toContainEqual({ group: '', resource: 'secrets', verb: 'get', name: 'macrack-webhook-ca', namespace: 'elsewhere' });
    expect(rights.filter(({ verb }) => verb === '*')).toEqual([]);
  });

  it('that are missing are named in the order of that file', async () => {
    const plane = new MemoryPlane(parseInstant('2026-11-29T10:00:00Z'));
    const rights = neededRights('macrack-system');
    const refused = new Set(['pods', 'clocks']);
    const reviewing = Object.assign(Object.create(plane) as MemoryPlane, {
      create: (_kind: unknown, object: { spec: { resourceAttributes: { resource: string } } }) => Promise.resolve({ status: { allowed: !refused.has(object.spec.resourceAttributes.resource) } }),
    });
    expect(await missingRights(reviewing, rights)).toEqual(rights.filter(({ resource }) => refused.has(resource)));
  });
});

describe('the clock of the API server', () => {
  const at = parseInstant('2026-11-29T10:00:00Z');
  it('is believed while it goes with the time that passes, and its least reading counts', async () => {
    let passed = 0;
    const clock = new WatchedClock(() => { throw new Error('no skew'); }, () => passed);
    expect(await clock.time(() => Promise.resolve(at))).toBe(at);
    passed = 10_000;
    expect(await clock.time(() => Promise.resolve(parseInstant('2026-11-29T10:00:10Z')))).toBe(at + 10_000);
    // Three seconds ahead are tolerated, and do not make anything due earlier.
    expect(await clock.time(() => Promise.resolve(parseInstant('2026-11-29T10:00:14Z')))).toBeLessThanOrEqual(at + 11_000);
  });

  it('is not believed at the very reading that is off, so nothing is decided on it', async () => {
    let passed = 0;
    const found: string[] = [];
    const clock = new WatchedClock((finding) => found.push(finding.state), () => passed);
    await clock.time(() => Promise.resolve(at));
    passed = 1_000;
    await expect(clock.time(() => Promise.resolve(parseInstant('2026-11-30T10:00:01Z')))).rejects.toThrow(/is 8639\d\.\d s ahead of the time that has passed on this host/);
    expect([found, clock.skewMs > 86_000_000]).toEqual([['bad'], true]);
    expect(await clock.time(() => Promise.resolve(parseInstant('2026-11-29T10:00:01Z')))).toBe(at + 1_000);
    expect(clock.skewMs).toBe(0);
  });
});
