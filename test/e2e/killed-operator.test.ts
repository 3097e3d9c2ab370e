import { Kinds } from '../../sdk/api/kinds';
import { idOf, instance, lease } from '../harness/configuration';
import { MortalOperator, type OperatorDeath } from '../harness/mortal-operator';
import { claimsOf, leaseOnPlane, phasesOfInstances } from '../harness/plane-eyes';
import { describeTerraform, macs } from '../harness/terraform-suite';

const operator = new MortalOperator();
const program = [lease('ci'), instance('vm', idOf('ci'))];

/** What binding a lease and starting an instance on it costs the operator. Reports of the Mac (address, slots) may cost more afterwards. */
const WRITES = [
  'patch MacNodeLease #1', 'patch MacNodeLease/status #1', 'create MacNodeBinding #1', 'patch Node #1', 'patch MacNodeLease/status #2',
  'patch MacOSInstance #1', 'patch MacOSInstance/status #1', 'patch Node #2', 'create Pod #1', 'patch MacOSInstance/status #2',
];
const DEATHS = WRITES.flatMap((label) => (['before', 'after'] as const).map((moment): OperatorDeath => ({ label, moment })));

describeTerraform('an operator that dies during an apply', { macs: macs(DEATHS.length + 1), tenants: DEATHS.length + 1, operatorPlane: operator.plane }, (suite) => {
  it('makes these writes for a lease and one instance when it lives', async () => {
    operator.takeLabels();
    await suite().project(suite().tenant()).configure(...program).applied();
    expect(operator.takeLabels()).toEqual(expect.arrayContaining(WRITES));
  });

  it.each(DEATHS)('$moment `$label` does not fail it: the next one brings both to their end', async (death) => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(...program);
    const reborn = operator.dieAt(suite(), death);
    const run = await project.apply();
    expect({ code: run.code, errors: project.errors(run) }).toEqual({ code: 0, errors: [] });
    await reborn;
    const { metadata, status } = await leaseOnPlane(suite(), tenant, 'ci');
    expect(status?.phase).toBe('Bound');
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ vm: 'Running' });
    expect(await claimsOf(suite(), tenant)).toEqual([status?.chassis]);
    const bound = await suite().development.operator().audit.rows({ type: 'Lease bound' });
    expect(bound.filter(({ leaseUID, stage }) => leaseUID === metadata.uid && stage === 'outcome')).toHaveLength(1);
    const pods = (await suite().admin.list(Kinds.Pod, { namespace: tenant.namespace })).items;
    expect(pods).toHaveLength(1);
  });
});
