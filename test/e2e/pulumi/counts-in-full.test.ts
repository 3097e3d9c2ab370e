import { worked } from '../../../cli/pulumi/workspace';
import { claimsOf } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import type { PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';
import { observePeak } from './memory';

const TENANTS = 10;
const LEASES_OF_EACH = 15;
const BYTES = 1 << 30;

/** Milliseconds; only ends a hang. */
const HANG_MS = 1_200_000;

describePulumi(`a stack of ${TENANTS * LEASES_OF_EACH} leases and ${2 * TENANTS * LEASES_OF_EACH} instances`, { macs: macs(TENANTS * LEASES_OF_EACH), tenants: TENANTS }, (suite) => {
  let tenants: readonly TestTenant[];
  let project: PulumiProject;

  beforeAll(() => {
    tenants = Array.from({ length: TENANTS }, () => suite().tenant());
    const names = tenants.flatMap(({ namespace }) => Array.from({ length: LEASES_OF_EACH }, (_, i) => ({ namespace, name: `${namespace}-l${i}` })));
    project = suite().project(tenants[0] ?? suite().tenant(), 'main', suite().development.kubeconfigs['macrack-admin'])
      .program(...names.flatMap(({ namespace, name }) => [lease(name, { namespace }), instance(`${name}-a`, name), instance(`${name}-b`, name)]));
  });

  it.each([
    ['to be previewed', ['preview', '--json']],
    ['to be made', ['up', '--yes', '--skip-preview']],
    ['to be previewed again, without a change', ['preview', '--json', '--expect-no-changes']],
  ] as const)('needs less than a gigabyte for all processes together %s', async (_what, command) => {
    const { run, bytes } = await observePeak(await project.workspace.start(...command));
    worked(run);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(BYTES);
  }, HANG_MS);

  it('has a Mac for each lease', async () => {
    for (const tenant of tenants) expect(await claimsOf(suite(), tenant)).toHaveLength(LEASES_OF_EACH);
  });
});
