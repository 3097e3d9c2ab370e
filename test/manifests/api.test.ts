import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN } from '../../realplane/identities';
import { kubectl } from '../../realplane/kubectl';
import { reservePorts, type Ports } from '../../realplane/ports';
import { type RealPlane, startRealPlane } from '../../realplane/real-plane';
import { until } from '../../sdk/client/until';
import { describeRealPlane } from '../harness/real-plane-suite';
import { type ClusterProcess, startOperatorAsDeployed } from './cluster-process';
import { blocksOfPage, PageShell } from './install-page';
import { admin, leaseYaml, refusal } from './printed';

const IMAGE = 'registry.example.com/macrack:0.1.0';
const [install = '', upgrade = ''] = blocksOfPage().filter(({ note }) => note?.kind === 'managed').map(({ text }) => text);

/** The page for clusters whose hosts are not the user's, on a plane without files. Its Service leads nowhere; the operator is a process. */
describeRealPlane('the installation of objects of the API on Kubernetes 1.37', () => {
  let directory: string;
  let plane: RealPlane;
  let shell: PageShell;
  let ports: Ports;
  let operator: ClusterProcess | undefined;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'macrack-api-'));
    ports = await reservePorts(2);
    plane = await startRealPlane({ policies: false, install: [] });
    const kubeconfig = join(directory, 'admin.kubeconfig');
    writeFileSync(kubeconfig, await plane.kubeconfig(ADMIN), { mode: 0o600 });
    shell = new PageShell(join(directory, 'shell'), plane.kubectl, {});
    await shell.run(`export KUBECONFIG='${kubeconfig}' IMAGE='${IMAGE}'`);
  });
  afterAll(async () => {
    await operator?.stop();
    await plane?.stop();
    ports?.release();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is what docs/install.md says', async () => {
    await shell.run(install);
  });

  it('is upgraded as docs/install.md says, and applied again with nothing to change', async () => {
    await shell.run(upgrade);
    expect(await shell.run('macrack manifests --api --webhook-ca webhook-ca/ca.crt --image "$IMAGE" | kubectl diff --server-side --force-conflicts -f -')).toBe('');
  });

  it('keeps CRDs and roles from an administrator', async () => {
    for (const what of [['crd', 'macnodebindings.macrack.io'], ['clusterrole', 'macrack-operator']]) {
      await until(`${what.join(' ')} is guarded again`, async () => /neither change nor go/.test((await kubectl(plane, ADMIN, ['delete', ...what, '--dry-run=server'])).err) || undefined);
      expect(await kubectl(plane, ADMIN, ['delete', ...what, '--wait=false'])).toEqual(refusal(/neither change nor go/));
    }
  });

  it('makes a lease wait for an operator', async () => {
    expect(await kubectl(plane, ADMIN, ['create', '-f', '-'], leaseYaml('default', 'ci'))).toEqual(refusal(/failed calling webhook "mutate\.macrack\.io": .*macrack-operator/));
  });

  it('is said to be TamperProof=False by the operator', async () => {
    const [webhooks = 0, metrics = 0] = ports.numbers;
    operator = await startOperatorAsDeployed(plane, join(directory, 'operator'), { webhooks, metrics });
    const condition = 'jsonpath={.status.conditions[?(@.type=="TamperProof")].status}';
    expect(await until('MacClass base says it', async () => await admin(plane, ['get', 'macclass', 'base', '-o', condition]) || undefined)).toBe('False');
    expect(await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()).toMatch(/^macrack_tamper_proof 0$/m);
  });

  it('does not keep an administrator from the policies themselves: that is what TamperProof=False says', async () => {
    expect(await kubectl(plane, ADMIN, ['delete', 'validatingadmissionpolicybinding', 'p8b-crds.macrack.io'])).toMatchObject({ code: 0 });
    await until('the CRDs are guarded no more', async () => (await kubectl(plane, ADMIN, ['delete', 'crd', 'clocks.macrack.io', '--wait=false', '--dry-run=server'])).code === 0 || undefined);
  });
});
