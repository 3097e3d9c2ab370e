import { type ManifestArguments, requestOf } from './options';

const ask = (args: Partial<ManifestArguments> = {}) => requestOf({ admissionDir: '/etc/kubernetes/macrack', ...args });
const webhooks = { webhookCa: 'ca.crt', webhookUrl: 'https://10.96.0.90:443' };
const OBJECTS = ['namespace', 'crds', 'rbac', 'classes', 'clock-policy', 'operator'];
const RULES = ['policies', 'mutating-policies', 'webhooks'];

describe('what a command line asks for', () => {
  test('by default, the objects of a tamper-proof installation and no files', () => {
    expect(ask()).toMatchObject({ form: 'tamper-proof', objects: OBJECTS, files: [] });
    expect(ask({ tamperProof: true })).toEqual(ask());
  });

  test('with a directory, the files of the control-plane hosts too', () => {
    expect(ask({ out: 'files', ...webhooks })).toMatchObject({ objects: OBJECTS, files: ['admission', ...RULES] });
  });

  test('some parts, in the order of their application', () => {
    expect(ask({ part: ['rbac', 'crds'] })).toMatchObject({ objects: ['crds', 'rbac'], files: [] });
    expect(ask({ part: ['policies', 'admission'], out: 'files' })).toMatchObject({ objects: [], files: ['admission', 'policies'] });
  });

  test.each([['1.35', RULES.filter((part) => part !== 'mutating-policies')], ['1.36', RULES], ['1.37', RULES]])('the rules as objects for Kubernetes %s', (kubernetes, rules) => {
    expect(ask({ api: true, kubernetes, webhookCa: 'ca.crt' })).toMatchObject({ form: 'api', objects: expect.arrayContaining(rules) as unknown, files: [] });
    expect(ask({ api: true, kubernetes, webhookCa: 'ca.crt' }).objects.filter((part) => RULES.includes(part))).toEqual(rules);
  });

  test('the objects of a tenant alone', () => {
    expect(ask({ tenant: 'team-a', leases: '3' })).toMatchObject({ objects: [], files: [], tenant: { namespace: 'team-a', leases: 3 } });
  });

  test('a URL without a port means 443', () => {
    expect(ask({ out: 'files', ...webhooks, webhookUrl: 'https://macrack.example.com' }).webhookOrigin).toBe('https://macrack.example.com:443');
    expect(ask({ out: 'files', ...webhooks, webhookUrl: 'https://[fd00::1]:9443' }).webhookOrigin).toBe('https://[fd00::1]:9443');
  });
});

describe('a command line is refused when', () => {
  test.each<[string, Partial<ManifestArguments>, RegExp]>([
    ['both forms are asked for', { tamperProof: true, api: true }, /exclude each other/],
    ['the version is unknown', { api: true, kubernetes: '1.34' }, /--kubernetes takes 1\.35, 1\.36, 1\.37, not "1\.34"/],
    ['files are to hold the rules of a version that reads none', { kubernetes: '1.36' }, /Kubernetes 1\.36 reads no policies from files/],
    ['a part is unknown', { part: ['crd'] }, /--part takes namespace, crds, .*, not "crd"/],
    ['a part is files and no directory is named', { part: ['policies'] }, /say with --out DIR/],
    ['a part is no object', { api: true, part: ['admission'] }, /no part admission with --api/],
    ['a part came with a later version', { api: true, kubernetes: '1.35', part: ['mutating-policies'] }, /from Kubernetes 1\.36 on/],
    ['a directory is named and nothing goes there', { part: ['crds'], out: 'files' }, /none of the parts asked for is such files/],
    ['a directory is named for objects', { api: true, out: 'files', webhookCa: 'ca.crt' }, /with --api everything is printed/],
    ['webhooks have no CA', { api: true }, /need --webhook-ca/],
    ['webhooks in files have no address', { out: 'files', webhookCa: 'ca.crt' }, /need --webhook-url/],
    ['webhooks that are objects have an address', { api: true, ...webhooks }, /through Service macrack-operator/],
    ['the address is not HTTPS', { out: 'files', ...webhooks, webhookUrl: 'http://10.0.0.1' }, /--webhook-url takes https/],
    ['the address has a path', { out: 'files', ...webhooks, webhookUrl: 'https://10.0.0.1/mutate' }, /--webhook-url takes https/],
    ['the directory on the hosts is relative', { admissionDir: 'macrack' }, /--admission-dir takes an absolute path/],
    ['the tenant is no namespace', { tenant: 'Team A' }, /--tenant takes the name of a namespace/],
    ['the tenant would be the cluster itself', { tenant: 'kube-system' }, /--tenant kube-system is a namespace of the cluster itself/],
    ['the tenant would be the operator', { tenant: 'macrack-system' }, /--tenant macrack-system is a namespace of the cluster itself/],
    ['leases are limited for nobody', { leases: '3' }, /name the tenant with --tenant/],
    ['leases are not a number', { tenant: 'team-a', leases: '-1' }, /--leases takes a whole number/],
  ])('%s', (_what, args, message) => {
    expect(() => ask(args)).toThrow(RangeError);
    expect(() => ask(args)).toThrow(message);
  });
});
