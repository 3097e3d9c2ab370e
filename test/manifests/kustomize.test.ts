import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { requestedObjects } from '../../cli/manifests/objects';
import { type ManifestArguments, requestOf } from '../../cli/manifests/options';
import { webhookCa } from '../../cli/manifests/webhook-ca';
import type { ApiObject } from '../../devplane/json';
import { deployDirectory } from '../../devplane/package-files';
import { findBinaries } from '../../realplane/binaries';
import { describeRealPlane } from '../harness/real-plane-suite';

const deploy = deployDirectory();

const build = (directory: string): ApiObject[] => parseAllDocuments(execFileSync(findBinaries().kubectl, ['kustomize', directory], { encoding: 'utf8', maxBuffer: 1 << 24 })).map((document) => document.toJS() as ApiObject);
const sorted = (objects: readonly ApiObject[]) => [...objects].sort((a, b) => `${a.kind}/${a.metadata.name}`.localeCompare(`${b.kind}/${b.metadata.name}`));

/** Without the comments and the order of the files, which kustomize changes. */
const withoutCrds = (objects: readonly ApiObject[]) => sorted(objects.filter(({ kind }) => kind !== 'CustomResourceDefinition'));

describe('the lists of the kustomize layers', () => {
  test.each(['namespace', 'crds', 'rbac', 'classes', 'clock-policy', 'operator', 'tenant', 'policies', 'policies/mutating', 'webhooks'])('deploy/%s/Kustomization names every file beside it', (folder) => {
    const { resources } = parse(readFileSync(join(deploy, folder, 'Kustomization'), 'utf8')) as { resources: string[] };
    expect([...resources].sort()).toEqual(readdirSync(join(deploy, folder)).filter((name) => name.endsWith('.yaml')).sort());
  });
});

describeRealPlane('kubectl 1.37 kustomize', () => {
  let directory: string;
  let ca: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'macrack-kustomize-'));
    await webhookCa({ out: join(directory, 'ca') });
    ca = join(directory, 'ca', 'ca.crt');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const printed = (args: Partial<ManifestArguments>) => requestedObjects(deploy, requestOf({ admissionDir: '/etc/kubernetes/macrack', webhookCa: ca, ...args }));

  /** As a user makes one: the layer, the Secret of the CA, and the component that tells API servers of it. */
  function overlayOf(layer: string): string {
    const overlay = join(directory, `my-${layer}`);
    mkdirSync(overlay);
    cpSync(join(directory, 'ca', 'secret.yaml'), join(overlay, 'secret.yaml'));
    const path = (...to: string[]) => relative(overlay, join(deploy, 'kustomize', ...to));
    writeFileSync(join(overlay, 'kustomization.yaml'), JSON.stringify({
      apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: [path('overlays', layer), 'secret.yaml'], components: [path('components', 'webhook-ca')],
      images: [{ name: 'macrack', newName: 'registry.example.com/macrack', newTag: '1' }],
    }));
    return overlay;
  }

  it('builds the CRDs', () => {
    expect(sorted(build(join(deploy, 'crds')))).toEqual(sorted(printed({ part: ['crds'] })));
  });

  it('builds the tamper-proof layer as `macrack manifests` prints it', () => {
    expect(sorted(build(join(deploy, 'kustomize', 'overlays', 'tamper-proof')))).toEqual(withoutCrds(printed({})));
  });

  it.each([['api', '1.37'], ['api-1.35', '1.35']])('builds the layer %s as `macrack manifests --api --kubernetes %s` prints it, with the CA of the Secret', (layer, kubernetes) => {
    const built = build(overlayOf(layer)).filter(({ kind }) => kind !== 'Secret');
    expect(sorted(built)).toEqual(withoutCrds(printed({ api: true, kubernetes, image: 'registry.example.com/macrack:1' })));
  });

  it('builds the template of a tenant', () => {
    expect(build(join(deploy, 'tenant')).map(({ kind }) => kind).sort()).toEqual(['Namespace', 'ResourceQuota', 'RoleBinding', 'RoleBinding']);
  });
});
