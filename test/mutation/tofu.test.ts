import { join } from 'node:path';
import { reasons } from '../../cli/terraform/outcome';
import { Workspace } from '../../cli/terraform/workspace';
import { header } from '../../cli/demo/configurations';
import { installForDevelopment } from '../../provider/terraform/install/development-install';
import { idOf, instance, lease } from '../harness/configuration';
import { describeTofu, type TerraformSuite, type TestTenant } from '../harness/terraform-suite';
import { type BuiltMutation, mutatedProvider, wholeProvider } from './built-provider';

/** A stop of the plan, a configuration that it refuses, and the compiled text that is the stop. */
interface EngineMutant extends BuiltMutation {
  readonly gone: string;
  readonly refused: string;
  readonly configuration: (tenant: TestTenant) => readonly string[];
}

const MUTANTS: readonly EngineMutant[] = [
  {
    gone: 'the third instance', refused: 'ThirdInstance', file: 'provider/core/instance-slots.js', replace: 'starting: ledger.creates.map(declaredHolder),', by: 'starting: [],',
    configuration: () => [lease('ci'), ...['a', 'b', 'c'].map((name) => instance(name, idOf('ci')))],
  },
  {
    gone: 'the tenant', refused: 'CrossTenant', file: 'sdk/rules/judge-placement.js', replace: 'return crossTenant(facts);', by: 'return verdict_1.ALLOWED;',
    configuration: ({ namespace }) => [lease('ci'), instance('a', idOf('ci'), { namespace: `${namespace}-other` })],
  },
  {
    gone: 'the floor under a day', refused: 'FloorTooShort', file: 'provider/core/lease-check.js', replace: '...checkMinimum(lease.minimumDuration, lease.name), ', by: '',
    configuration: () => [lease('ci', { minimum_duration: '1h' })],
  },
  {
    gone: 'the name that is used twice', refused: 'AlreadyExists', file: 'provider/core/created-twice.js', replace: 'return core.run.isFirstCreate(kind, (0, object_id_1.idOf)(named)) ? [] :', by: 'return core !== undefined ? [] :',
    configuration: () => [lease('ci'), lease('ci').replace('"ci" {', '"again" {')],
  },
];

function planWith(suite: TerraformSuite, place: string, main: string, tenant: TestTenant, mutant: EngineMutant) {
  const { configFile } = installForDevelopment(join(place, 'provider'), { main });
  const workspace = new Workspace({ engine: suite.engine, dir: join(place, 'work'), cliConfig: configFile });
  workspace.write([header(tenant.kubeconfig), ...mutant.configuration(tenant)].join('\n'));
  return workspace.plan();
}

// The engine starts what is compiled, so the mutants are made there: what its plans refuse is refused by the stop that is taken away.
describeTofu('a stop of the provider that is taken away is noticed by a plan of OpenTofu', { tenants: MUTANTS.length }, (suite) => {
  it.each(MUTANTS.map((mutant) => [mutant.gone, mutant] as const))('%s', async (_gone, mutant) => {
    const tenant = suite().tenant();
    const place = join(suite().directory, 'mutants', mutant.refused);
    const whole = await planWith(suite(), join(place, 'whole'), wholeProvider(), tenant, mutant);
    expect([whole.code, reasons(whole, 'error')]).toEqual([1, [mutant.refused]]);
    const without = await planWith(suite(), join(place, 'mutated'), mutatedProvider(join(place, 'built'), mutant), tenant, mutant);
    expect(reasons(without, 'error')).not.toContain(mutant.refused);
  });
});
