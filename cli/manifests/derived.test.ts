import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ApiObject } from '../../devplane/json';
import { deployDirectory } from '../../devplane/package-files';
import { readAuthority, requestedObjects } from './objects';
import { type ManifestArguments, requestOf } from './options';
import { sourceOf } from './source';
import { requestedFiles } from './static-files';
import { tenantObjects } from './tenant-objects';
import { writeStaticFiles } from './write-files';

const deploy = deployDirectory();
const CA = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const named = (objects: readonly ApiObject[], kind: string) => objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name).sort();

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'macrack-manifests-'));
  writeFileSync(join(directory, 'ca.crt'), CA);
});
afterAll(() => rmSync(directory, { recursive: true }));

const ask = (args: Partial<ManifestArguments>) => requestOf({ admissionDir: '/etc/kubernetes/macrack', webhookCa: join(directory, 'ca.crt'), ...args });
const objects = (args: Partial<ManifestArguments>) => requestedObjects(deploy, ask(args));
const files = (args: Partial<ManifestArguments>) => requestedFiles(deploy, ask({ out: 'out', webhookUrl: 'https://10.96.0.90:443', ...args }));

describe('the rules as objects of the API', () => {
  const api = () => objects({ api: true });

  test('are named so that the API takes them, and a binding names its policy', () => {
    for (const { metadata } of api()) expect(metadata.name).not.toMatch(/static\.k8s\.io/);
    const bindings = api().filter(({ kind }) => /^(Validating|Mutating)AdmissionPolicyBinding$/.test(kind));
    expect(bindings.map(({ spec }) => (spec as { policyName: string }).policyName)).toEqual(bindings.map(({ metadata }) => metadata.name));
    for (const { metadata } of bindings) expect(metadata.name).toMatch(/\.macrack\.io$/);
  });

  test('are the same policies, less the one that would never be asked', () => {
    const [source, derived] = [sourceOf(deploy, 'policies'), objects({ api: true, part: ['policies'] })];
    const kept = source.filter(({ metadata }) => !metadata.name.startsWith('p8a-'));
    expect(derived.length).toBe(kept.length);
    expect(source.length - kept.length).toBe(2);
    const bodies = (of: readonly ApiObject[]) => of.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy').map(({ spec }) => spec);
    expect(bodies(derived)).toEqual(bodies(kept));
  });

  test('leave mutating policies out below Kubernetes 1.36', () => {
    expect(named(objects({ api: true, kubernetes: '1.35' }), 'MutatingAdmissionPolicy')).toEqual([]);
    expect(named(objects({ api: true, kubernetes: '1.36' }), 'MutatingAdmissionPolicy')).toEqual(['m1-node-taint.macrack.io', 'm2-vm-pod-tolerations.macrack.io']);
  });

  test('call the webhooks through the Service, by the CA', () => {
    const configurations = objects({ api: true, part: ['webhooks'] }) as unknown as { webhooks: { clientConfig: unknown }[] }[];
    expect(configurations.map(({ webhooks }) => webhooks[0]?.clientConfig)).toEqual(['/mutate', '/validate'].map((path) => ({
      service: { namespace: 'macrack-system', name: 'macrack-operator', path, port: 443 }, caBundle: Buffer.from(CA).toString('base64'),
    })));
  });
});

describe('the files of the control-plane hosts', () => {
  test('are the policies byte for byte, in the directories that the configuration names', () => {
    const all = files({});
    for (const name of readdirSync(join(deploy, 'policies')).filter((each) => each.endsWith('.yaml'))) expect(all.get(`vap/${name}`)).toBe(readFileSync(join(deploy, 'policies', name), 'utf8'));
    for (const name of readdirSync(join(deploy, 'policies', 'mutating')).filter((each) => each.endsWith('.yaml'))) expect(all.has(`map/${name}`)).toBe(true);
    const { plugins } = parse(all.get('admission.yaml') ?? '') as { plugins: { configuration: { staticManifestsDir: string } }[] };
    expect(plugins.map(({ configuration }) => configuration.staticManifestsDir)).toEqual(['vap', 'map', 'vwh', 'mwh'].map((folder) => `/etc/kubernetes/macrack/${folder}`));
  });

  test('are named as the API server asks of files', () => {
    for (const [path, text] of files({ part: ['policies', 'mutating-policies', 'webhooks'] })) {
      for (const document of text.split('\n---\n')) expect([path, (parse(document) as ApiObject).metadata.name]).toEqual([path, expect.stringMatching(/\.static\.k8s\.io$/)]);
    }
  });

  test('send the webhooks to the address that is named, and know the operator by the CA', () => {
    const { webhooks } = parse(files({ part: ['webhooks'] }).get('vwh/macrack.yaml') ?? '') as { webhooks: { clientConfig: unknown }[] };
    expect(webhooks[0]?.clientConfig).toEqual({ url: 'https://10.96.0.90:443/validate', caBundle: Buffer.from(CA).toString('base64') });
  });

  test('are written with all four directories, and what is there of an older version is told', () => {
    const out = join(directory, 'out');
    expect(writeStaticFiles(out, files({ part: ['admission'] }))).toEqual([]);
    expect(readdirSync(out).sort()).toEqual(['admission.yaml', 'map', 'mwh', 'vap', 'vwh']);
    writeFileSync(join(out, 'vap', 'p0-old.yaml'), '');
    expect(writeStaticFiles(out, files({ part: ['policies'] }))).toEqual(['vap/p0-old.yaml']);
  });
});

describe('the operator', () => {
  const argumentsOf = (args: Partial<ManifestArguments>) => {
    const [deployment] = objects({ part: ['operator'], ...args }).filter(({ kind }) => kind === 'Deployment') as unknown as { spec: { template: { spec: { containers: { image: string; args: string[] }[] } } } }[];
    return deployment?.spec.template.spec.containers[0];
  };

  test('is installed with the image that is named', () => {
    expect(argumentsOf({ image: 'registry.example.com/macrack:1' })?.image).toBe('registry.example.com/macrack:1');
  });

  test('has a certificate for the host that API servers call', () => {
    expect(argumentsOf({ webhookUrl: 'https://macrack.example.com:443' })?.args.at(-1)).toBe('--webhook-name=macrack.example.com');
    expect(argumentsOf({ webhookUrl: 'https://[fd00::1]:9443' })?.args.at(-1)).toBe('--webhook-name=fd00::1');
  });
});

describe('the objects of a tenant', () => {
  test('name that tenant wherever the template names its own', () => {
    const text = JSON.stringify(tenantObjects(deploy, 'team-b'));
    expect(text).not.toMatch(/tenant-a/);
    expect(text).toMatch(/"team-b-editors"/);
  });

  test('limit leases, and instances to two a lease', () => {
    const quota = tenantObjects(deploy, 'team-b', 5).find(({ kind }) => kind === 'ResourceQuota');
    expect(quota?.spec).toEqual({ hard: { 'count/macnodeleases.macrack.io': '5', 'count/macosinstances.macrack.io': '10', 'requests.macrack.io/macos-vm': '10' } });
  });
});

describe('the file of --webhook-ca', () => {
  test('may hold two certificates, while a new CA takes over', () => {
    writeFileSync(join(directory, 'both.crt'), CA + CA);
    expect(readAuthority(join(directory, 'both.crt'))).toBe(CA + CA);
  });

  test('is refused when it is missing, or holds anything else, such as the key', () => {
    expect(() => readAuthority(join(directory, 'none.crt'))).toThrow(/none\.crt cannot be read/);
    writeFileSync(join(directory, 'key.pem'), `${CA}-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n`);
    expect(() => readAuthority(join(directory, 'key.pem'))).toThrow(/takes ca\.crt, never the key/);
  });
});
