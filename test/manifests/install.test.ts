import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ageClaim } from '../../realplane/ageing';
import { findBinaries } from '../../realplane/binaries';
import { storageKey } from '../../realplane/etcd-store';
import type { StaticPlugin } from '../../realplane/admission-files';
import { ADMIN } from '../../realplane/identities';
import { kubectl } from '../../realplane/kubectl';
import { reservePorts, type Ports } from '../../realplane/ports';
import { type RealPlane, startRealPlane } from '../../realplane/real-plane';
import { reloading } from '../../realplane/reload';
import { until } from '../../sdk/client/until';
import { FLOOR_MS } from '../../sdk/rules/limits';
import { RELEASE_MARGIN_MS } from '../../sdk/api/timing';
import { macrack } from '../cli/command';
import { describeRealPlane } from '../harness/real-plane-suite';
import { ClusterProcess, startOperatorAsDeployed } from './cluster-process';
import { type Block, blocksOfPage, PageShell } from './install-page';
import { admin } from './printed';
import { createdLease, untilLeasesAreCounted } from './quota';

const SERIAL = 'c02abc123def';
const IMAGE = 'registry.example.com/macrack:0.1.0';
/** What a block of the page copies to the control-plane host, and who reads it there. */
const WRITTEN: readonly (readonly [command: string, plugin: StaticPlugin])[] = [
  ['"$ADMISSION_DIR/vwh/"', 'ValidatingAdmissionWebhook'], ['"$ADMISSION_DIR/mwh/"', 'MutatingAdmissionWebhook'],
];
const blocks = blocksOfPage().filter(({ note }) => note?.kind !== 'managed');
const sections = [...new Set(blocks.map(({ section }) => section))];

describe('docs/install.md', () => {
  it('notes of every block whether it is run, and why not', () => {
    for (const { note } of blocksOfPage().filter((block) => block.note !== undefined)) {
      expect(note).toMatchObject({ kind: expect.stringMatching(/^(values|elsewhere|after|managed)$/) as string });
      if (note?.kind === 'elsewhere' || note?.kind === 'after') expect(note.text).not.toBe('');
    }
  });
});

/** Who follows the page on Kubernetes 1.37. No kubelet runs pods and no launchd the agent: the test starts both with the arguments that they would. */
describeRealPlane('docs/install.md, followed from an empty cluster', () => {
  let directory: string;
  let plane: RealPlane;
  let shell: PageShell;
  let ports: Ports;
  let operator: ClusterProcess | undefined;
  let agent: ClusterProcess | undefined;

  const agentState = () => join(directory, 'mac');
  const [first = '', rules = '', ...others] = sections;

  const restartOperator = async (): Promise<void> => {
    await operator?.stop();
    const [webhooks = 0, metrics = 0] = ports.numbers;
    operator = await startOperatorAsDeployed(plane, join(directory, 'operator'), { webhooks, metrics });
  };
  const condition = (type: string) => `jsonpath={.status.conditions[?(@.type=="${type}")].status}`;
  const classSays = (type: string) => until(`MacClass base says ${type}`, async () => await admin(plane, ['get', 'macclass', 'base', '-o', condition(type)]) === 'True' || undefined);

  /** What the page says happened before a block, and what only a real cluster does by itself. */
  const happened: Readonly<Record<string, () => Promise<unknown>>> = {
    'the operator runs': restartOperator,
    'the operator leads': async () => Promise.all([classSays('OperatorReady'), classSays('TamperProof')]),
    'the agent of the Mac runs': async () => {
      agent = new ClusterProcess(['agent', '--driver', 'sim', '--state-dir', agentState(), '--serial', SERIAL, '--listen', '127.0.0.1:0', '--bootstrap-kubeconfig', join(shell.directory, `${SERIAL}.kubeconfig`)]);
      await until('the Mac reports', async () => await admin(plane, ['get', 'macnode', SERIAL, '-o', 'jsonpath={.status.lastSeen}']) !== '' || undefined);
    },
    'the operator runs with the new Secrets': restartOperator,
    'half a minute has passed': () => untilLeasesAreCounted(plane),
    'the quota is counted': () => createdLease((yaml) => kubectl(plane, ADMIN, ['create', '--dry-run=server', '-f', '-'], yaml), 'team-a', 'asked'),
    'a claim is stuck and its floor has passed': async () => {
      await admin(plane, ['-n', 'team-a', 'delete', 'macosinstance', 'vm-1', '--timeout=240s']);
      await ageClaim(plane.store, { serial: SERIAL, lease: { namespace: 'team-a', name: 'ci' } }, FLOOR_MS + 2 * RELEASE_MARGIN_MS);
      await plane.store.edit(storageKey('macrack.io', 'macnodebindings', SERIAL), (claim) => {
        const early = new Date(Date.parse(String(claim.metadata.creationTimestamp)) + FLOOR_MS / 2).toISOString().replace('.000Z', 'Z');
        return { ...claim, metadata: { ...claim.metadata, deletionTimestamp: early, deletionGracePeriodSeconds: 0 } };
      });
    },
    'every lease is past its floor': () => Promise.resolve(),
    'the agents are stopped': async () => {
      await agent?.stop();
      await operator?.stop();
      // The controller that does so once no pod uses the volume is not among those of this plane.
      await admin(plane, ['-n', 'macrack-system', 'patch', 'pvc', 'macrack-audit', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    },
  };

  // kubectl refuses a second restart within a second. Its stamps are whole seconds of this machine's clock.
  const isLongAgo = async (): Promise<true | undefined> => {
    const at = await admin(plane, ['-n', 'macrack-system', 'get', 'deployment', 'macrack-operator', '-o', String.raw`jsonpath={.spec.template.metadata.annotations.kubectl\.kubernetes\.io/restartedAt}`]);
    return at === '' || Date.now() - Date.parse(at) > 2000 ? true : undefined;
  };

  const runBlock = async ({ text, note }: Block): Promise<void> => {
    if (note?.kind === 'elsewhere') return;
    if (note?.kind === 'after') await (happened[note.text] ?? (() => Promise.reject(new Error(`nothing brings about: ${note.text}`))))();
    // What a page of commands leaves to a person, who takes a while from one to the next.
    if (text.includes('rollout restart')) await until('the last restart is over a second ago', isLongAgo);
    const written = WRITTEN.filter(([file]) => text.includes(file)).map(([, plugin]) => plugin);
    if (operator !== undefined && written.length > 0) await reloading(plane.servers.get('kube-apiserver'), written, async () => void await shell.run(text));
    else await shell.run(text);
  };
  const runSection = async (section: string): Promise<void> => {
    for (const block of blocks.filter((each) => each.section === section)) await runBlock(block);
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'macrack-install-'));
    ports = await reservePorts(2);
    const { stdout } = await macrack('agent', 'hardware', '--driver', 'sim', '--state-dir', agentState(), '--serial', SERIAL).ended;
    const { hardwareUUID } = JSON.parse(stdout) as { hardwareUUID: string };
    plane = await startRealPlane({
      install: [],
      layAdmission: async (admission) => {
        const values = { IMAGE, ADMISSION_DIR: admission, SERIAL, STUCK: SERIAL, HARDWARE_UUID: hardwareUUID, WEBHOOK_URL: `https://127.0.0.1:${ports.numbers[0] ?? 0}` };
        shell = new PageShell(join(directory, 'shell'), findBinaries().kubectl, values);
        await shell.run(blocks.find(({ section, note }) => section === first && note?.kind === 'values')?.text ?? '');
        await runSection(rules);
      },
    });
    await admin(plane, ['delete', 'namespace', 'macrack-system', '--wait']);
    const kubeconfig = join(directory, 'admin.kubeconfig');
    await shell.run(`cat > '${kubeconfig}' <<'END'\n${await plane.kubeconfig(ADMIN)}\nEND\nexport KUBECONFIG='${kubeconfig}'`);
    await runSection(first);
  });
  afterAll(async () => {
    await agent?.stop();
    await operator?.stop();
    await plane?.stop();
    ports?.release();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each(others.map((section) => [section]))('%s', async (section) => {
    await runSection(section);
  });

  it('leaves nothing of MacRack in the cluster', async () => {
    const left = async (...args: string[]) => (await admin(plane, ['get', ...args, '-o', 'name', '--ignore-not-found'])).split('\n').filter((name) => name.includes('macrack'));
    expect(await left('crds,clusterroles,clusterrolebindings,namespaces,validatingadmissionpolicies,validatingadmissionpolicybindings')).toEqual([]);
  });
});
