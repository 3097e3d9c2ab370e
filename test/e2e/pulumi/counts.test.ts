import { worked } from '../../../cli/pulumi/workspace';
import { asking } from '../../harness/plane-eyes';
import { macs } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import type { PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

/** Bytes of one resource in the state, and of the provider's text in it, at most. */
const STATE_BYTES = 8 << 10;
const PROVIDER_BYTES = 3 << 10;

describePulumi('what a stack costs', { macs: macs(4), tenants: 2 }, (suite) => {
  const projects = new Map<number, { readonly namespace: string; readonly project: PulumiProject }>();

  /** Leases with two instances each. */
  const stackOf = async (leases: number) => {
    const tenant = suite().tenant();
    const names = Array.from({ length: leases }, (_, i) => `l${i}`);
    const project = suite().project(tenant).program(...names.flatMap((name) => [lease(name), instance(`${name}-a`, name), instance(`${name}-b`, name)]));
    await project.updated();
    projects.set(leases, { namespace: tenant.namespace, project });
  };
  beforeAll(async () => {
    await stackOf(1);
    await stackOf(3);
  });
  const found = (leases: number) => {
    const known = projects.get(leases);
    if (known === undefined) throw new Error('no such stack');
    return known;
  };

  /** What one preview asks, a line a kind of request, with how often. */
  const previewOf = async (leases: number) => {
    const { namespace, project } = found(leases);
    const { requests } = await asking(suite(), namespace, async () => worked(await project.preview('--expect-no-changes')));
    const counts: Record<string, number> = {};
    for (const { verb, resource } of requests) counts[`${verb} ${resource}`] = (counts[`${verb} ${resource}`] ?? 0) + 1;
    return counts;
  };

  it('in the preview of 3 existing resources is one look of the program and one of the provider at each kind; of 9 not one request more', async () => {
    const counts = await previewOf(1);
    expect(await previewOf(3)).toEqual(counts);
    for (const kind of ['macnodeleases', 'macosinstances']) expect(counts[`list ${kind}.macrack.io`]).toBeLessThanOrEqual(2);
    expect(Object.keys(counts).filter((request) => !request.startsWith('list '))).toEqual([]);
  });

  it(`in the state is at most ${STATE_BYTES} bytes a resource, and ${PROVIDER_BYTES} of them text of the provider, which calls the package and holds nothing of it`, async () => {
    const { resources = [] } = (await found(3).project.workspace.exportState()).deployment;
    const ours = resources.filter(({ type }) => type.startsWith('pulumi-nodejs:dynamic/'));
    expect(ours).toHaveLength(9);
    for (const resource of ours) {
      const text = String(resource.inputs?.__provider);
      expect(JSON.stringify(resource).length).toBeLessThanOrEqual(STATE_BYTES);
      expect(text.length).toBeLessThan(PROVIDER_BYTES);
      const calls = [...text.matchAll(/require\("([^"]+)"\)\.(lease|instance)\.\w+\(/g)].map(([, module]) => module);
      expect([calls.length, new Set(calls)]).toEqual([7, new Set(['macrack/pulumi/provider'])]);
    }
  });
});
