import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN } from '../../realplane/identities';
import { kubectl } from '../../realplane/kubectl';
import { type RealPlane, startRealPlane } from '../../realplane/real-plane';
import { until } from '../../sdk/client/until';
import { describeRealPlane } from '../harness/real-plane-suite';
import type * as ApiLayer from './api-layer-plane';
import type * as LayerModule from '../real-plane/layer-plane';
import { admin, leaseYaml, printed, refusal } from './printed';

jest.setTimeout(150_000);
jest.mock('../real-plane/layer-plane', () => {
  const bare = jest.requireActual<typeof LayerModule>('../real-plane/layer-plane');
  return { ...bare, ...jest.requireActual<typeof ApiLayer>('./api-layer-plane').apiLayerPlane(bare) };
});

// The runner of the table is a test file: evaluated here, it stands on policies that are objects of the API.
describeRealPlane('the rules as objects of the API', () => void jest.requireActual('../real-plane/policy-layer.test'));

/** All that `macrack manifests --api` prints, on a plane without files. Its Service leads nowhere. */
describeRealPlane('the installation of objects of the API on Kubernetes 1.37', () => {
  let directory: string;
  let plane: RealPlane;
  let everything: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'macrack-api-'));
    await printed('webhook-ca', '--out', join(directory, 'ca'));
    everything = await printed('--api', '--webhook-ca', join(directory, 'ca', 'ca.crt'));
    plane = await startRealPlane({ policies: false, install: ['crds'] });
  });
  afterAll(async () => {
    await plane?.stop();
    rmSync(directory, { recursive: true });
  });

  it('is applied, and again with nothing to change', async () => {
    const server = ['apply', '--server-side', '--force-conflicts', '-f', '-'];
    await admin(plane, server, everything);
    for (const line of (await admin(plane, server, everything)).trim().split('\n')) expect(line).toMatch(/ serverside-applied$/);
    expect(await admin(plane, ['diff', '--server-side', '--force-conflicts', '-f', '-'], everything)).toBe('');
  });

  it('keeps CRDs and roles from an administrator', async () => {
    for (const what of [['crd', 'macnodebindings.macrack.io'], ['clusterrole', 'macrack-operator']]) expect(await kubectl(plane, ADMIN, ['delete', ...what, '--wait=false'])).toEqual(refusal(/neither change nor go/));
  });

  it('makes a lease wait for an operator', async () => {
    expect(await kubectl(plane, ADMIN, ['create', '-f', '-'], leaseYaml('default', 'ci'))).toEqual(refusal(/failed calling webhook "mutate\.macrack\.io": .*macrack-operator/));
  });

  it('does not keep an administrator from the policies themselves: that is what TamperProof=False says', async () => {
    expect(await kubectl(plane, ADMIN, ['delete', 'validatingadmissionpolicybinding', 'p8b-crds.macrack.io'])).toMatchObject({ code: 0 });
    await until('the CRDs are guarded no more', async () => (await kubectl(plane, ADMIN, ['delete', 'crd', 'clocks.macrack.io', '--wait=false', '--dry-run=server'])).code === 0 || undefined);
  });
});
