import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { macrack } from './command';

let directory: string;
beforeAll(() => { directory = mkdtempSync(join(tmpdir(), 'macrack-cli-')); });
afterAll(() => rmSync(directory, { recursive: true }));

const refused = (sentence: RegExp) => ({ code: 1, signal: null, stdout: '', stderr: expect.stringMatching(new RegExp(`^macrack: ${sentence.source}[^\\n]*\\n$`)) as string });

test.each<[string, string[], RegExp]>([
  ['both forms', ['--tamper-proof', '--api'], /--tamper-proof and --api exclude each other/],
  ['webhooks without a CA', ['--out', 'files', '--webhook-url', 'https://10.0.0.1'], /the webhooks need --webhook-ca/],
  ['a CA that is no file', ['--api', '--webhook-ca', '/nonexistent/ca.crt'], /--webhook-ca \/nonexistent\/ca\.crt cannot be read/],
  ['a version that reads no files', ['--kubernetes', '1.35'], /Kubernetes 1\.35 reads no policies from files/],
])('`macrack manifests` with %s is one sentence, and nothing is printed or written', async (_what, args, sentence) => {
  const out = join(directory, 'files');
  expect(await macrack('manifests', ...args.map((arg) => (arg === 'files' ? out : arg))).ended).toEqual(refused(sentence));
  expect(existsSync(out)).toBe(false);
});

test('`macrack manifests` prints objects that are applied in their order: the namespace and the kinds first, the operator last', async () => {
  const { code, stdout } = await macrack('manifests').ended;
  const kinds = parseAllDocuments(stdout).map((document) => (document.toJS() as { kind: string }).kind);
  expect([code, kinds[0], kinds[1], kinds.at(-1)]).toEqual([0, 'Namespace', 'CustomResourceDefinition', 'Deployment']);
});

describe('`macrack manifests webhook-ca`', () => {
  test('writes a CA for its owner alone, and the Secret that the operator mounts', async () => {
    const out = join(directory, 'ca');
    expect(await macrack('manifests', 'webhook-ca', '--out', out).ended).toMatchObject({ code: 0, stdout: '' });
    for (const name of ['ca.crt', 'ca.key', 'secret.yaml']) expect(statSync(join(out, name)).mode & 0o777).toBe(0o600);
    const secret = parseAllDocuments(readFileSync(join(out, 'secret.yaml'), 'utf8'))[0]?.toJS() as { metadata: object; data: Record<string, string> };
    expect(secret.metadata).toEqual({ name: 'macrack-webhook-ca', namespace: 'macrack-system' });
    expect(Buffer.from(secret.data['ca.crt'] ?? '', 'base64').toString()).toBe(readFileSync(join(out, 'ca.crt'), 'utf8'));
  });

  test('never writes over a CA, which may be in use', async () => {
    const [out, before] = [join(directory, 'ca'), readFileSync(join(directory, 'ca', 'ca.key'), 'utf8')];
    expect(await macrack('manifests', 'webhook-ca', '--out', out).ended).toEqual(refused(/.*ca\.crt is there already and may be in use/));
    expect(readFileSync(join(out, 'ca.key'), 'utf8')).toBe(before);
  });
});

test('`macrack operator-credential` without a cluster is one sentence, and writes no key', async () => {
  const out = join(directory, 'credential');
  expect(await macrack('operator-credential', '--out', out, '--kubeconfig', '/nonexistent/kubeconfig').ended).toEqual(refused(/kubeconfig \/nonexistent\/kubeconfig does not exist/));
  expect(existsSync(out)).toBe(false);
});
