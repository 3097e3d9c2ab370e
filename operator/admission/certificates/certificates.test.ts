import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseInstant } from '../../../sdk/rules/instant';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { until } from '../../testing/rig';
import { createAuthority, readAuthority, type Authority } from './authority';
import { fileAuthority } from './file-authority';
import { secretAuthority } from './secret-authority';
import { CERTIFICATE_LIFE_MS, ServingCertificates } from './serving';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const names = ['127.0.0.1', 'macrack-operator.macrack-system.svc'];
let authority: Authority;

beforeAll(async () => {
  authority = await createAuthority();
});

describe('a serving certificate', () => {
  it('is of the authority, for every name, and for no longer than asked', async () => {
    const { certificatePem, notAfter, issuedAt } = await authority.issue(names, 3_600_000);
    const certificate = new X509Certificate(certificatePem);
    expect(certificate.verify(new X509Certificate(authority.certificatePem).publicKey)).toBe(true);
    expect(certificate.subjectAltName).toBe('IP Address:127.0.0.1, DNS:macrack-operator.macrack-system.svc');
    expect(certificate.ca).toBe(false);
    expect(notAfter - issuedAt).toBeLessThanOrEqual(3_600_000);
  });

  it('does not outlive the authority', async () => {
    expect((await authority.issue(names, 1e15)).notAfter).toBe(authority.notAfter);
  });

  it('is renewed at two thirds of its life, and whoever serves it is told', async () => {
    const timers = new MemoryPlane(parseInstant('2026-11-29T10:00:00Z'));
    const certificates = await ServingCertificates.start({ authority, names, timers, log });
    const first = certificates.current;
    const told: string[] = [];
    certificates.onRenewed(({ certificatePem }) => told.push(certificatePem));
    timers.advance(CERTIFICATE_LIFE_MS * 0.66);
    expect(certificates.current).toBe(first);
    timers.advance(CERTIFICATE_LIFE_MS * 0.01);
    await until('another certificate', () => certificates.current !== first);
    expect(told).toEqual([certificates.current.certificatePem]);
    certificates.stop();
  });
});

describe('the authority in files', () => {
  let directory: string;
  beforeEach(() => { directory = mkdtempSync(join(tmpdir(), 'webhook-ca-')); });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const put = (certificate: string, key: string) => {
    writeFileSync(join(directory, 'ca.crt'), certificate);
    writeFileSync(join(directory, 'ca.key'), key);
  };

  it('is read as it was written', async () => {
    put(authority.certificatePem, authority.keyPem);
    const read = await fileAuthority(directory);
    expect(new X509Certificate((await read.issue(names, 1000)).certificatePem).verify(new X509Certificate(authority.certificatePem).publicKey)).toBe(true);
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  it.each([
    ['no certificate', () => ['nonsense', authority.keyPem], /ca\.crt holds no certificate in PEM text/],
    ['no key', () => [authority.certificatePem, 'nonsense-secret'], /ca\.key holds no private key in PEM text/],
    ['an RSA key', () => [authority.certificatePem, rsa], /ca\.key is not an EC P-256 private key/],
    ['a certificate that is of no authority', async () => { const leaf = await authority.issue(names, 1000); return [leaf.certificatePem, leaf.keyPem]; }, /is not the certificate of an authority/],
    ['the key of another', async () => [authority.certificatePem, (await createAuthority()).keyPem], /ca\.key does not belong to ca\.crt/],
  ])('with %s is refused by name, and the message holds no key', async (_what, pair, message) => {
    const [certificate = '', key = ''] = await pair();
    put(certificate, key);
    const said = await fileAuthority(directory).then(() => 'accepted', (error: Error) => error.message);
    expect(said).toMatch(message);
    expect(said).not.toMatch(/secret|BEGIN/);
  });

  it('that is missing is named', async () => {
    await expect(fileAuthority(directory)).rejects.toThrow(`${join(directory, 'ca.crt')} cannot be read (ENOENT)`);
  });
});

describe('the authority in a Secret', () => {
  it('is made once, and replicas that start together use the same', async () => {
    const plane = new MemoryPlane(parseInstant('2026-11-29T10:00:00Z'));
    const all = await Promise.all(['a', 'b', 'c'].map(() => secretAuthority(plane, 'macrack-system')));
    expect(new Set(all.map(({ certificatePem }) => certificatePem)).size).toBe(1);
    expect((await secretAuthority(plane, 'macrack-system')).certificatePem).toBe(all[0]?.certificatePem);
  });

  it('that holds something else is refused, and not overwritten', async () => {
    const plane = new MemoryPlane(parseInstant('2026-11-29T10:00:00Z'));
    const secret = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
    await plane.create(secret, { metadata: { namespace: 'macrack-system', name: 'macrack-webhook-ca' }, data: {} });
    await expect(secretAuthority(plane, 'macrack-system')).rejects.toThrow(/Secret macrack-system\/macrack-webhook-ca cannot be used: ca\.crt holds no certificate/);
  });
});

it('an authority that was read issues as the one that was made', async () => {
  const read = await readAuthority(authority);
  expect([read.certificatePem, read.notAfter]).toEqual([authority.certificatePem, authority.notAfter]);
});
