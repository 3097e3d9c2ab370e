import type { RequestRecord } from '../../devplane/server/observer';
import { idOf, instance, lease } from '../harness/configuration';
import { phasesOfInstances } from '../harness/plane-eyes';
import { describeTerraform, macs } from '../harness/terraform-suite';

const program = [lease('ci'), instance('vm', idOf('ci'))];

describeTerraform('an operator that is away', { macs: macs(2), tenants: 2 }, (suite) => {
  it.each(['macnodeleases.macrack.io', 'macosinstances.macrack.io'])('is waited for by a create of %s while its webhooks do not answer', async (resource) => {
    const tenant = suite().tenant();
    const project = suite().project(tenant).configure(...program);
    const { development } = suite();
    const { plane } = development;
    const isCreate = (record: RequestRecord) => record.user === tenant.namespace && record.verb === 'create' && record.resource === resource && record.write !== undefined;
    let refused = 0;
    const remove = plane.requests.add({
      before(record) {
        // Nobody listens there.
        if (isCreate(record) && refused === 0) plane.redirectWebhooks('https://127.0.0.1:1', plane.ca);
      },
      async after(record) {
        if (isCreate(record) && ++refused === 1) await development.restartOperator();
      },
    });
    const run = await project.apply();
    remove();
    expect({ code: run.code, errors: project.errors(run) }).toEqual({ code: 0, errors: [] });
    expect(refused).toBe(2);
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ vm: 'Running' });
  });
});
