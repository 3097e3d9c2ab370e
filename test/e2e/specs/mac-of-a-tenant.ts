import type { SimMac } from '../../../agent';
import type { AuditRow } from '../../../operator';
import { Kinds, type MacNode } from '../../../sdk/api/kinds';
import { type Attributes, idOf, instance, lease } from '../../harness/configuration';
import type { Project } from '../../harness/project';
import type { PlaneSuite, TestTenant } from '../../harness/terraform-suite';

/** A tenant with one lease on a Mac of its own, in words of its configuration. */
export interface MacOfATenant {
  readonly tenant: TestTenant;
  readonly project: Project;
  readonly mac: SimMac;
  readonly ci: string;
  readonly vm: (name: string, attributes?: Attributes) => string;
  readonly status: () => Promise<MacNode['status']>;
  /** Records of a third machine that was refused. */
  readonly thirds: () => Promise<readonly AuditRow[]>;
}

export function macOfATenant(suite: PlaneSuite, serial: string): MacOfATenant {
  const { development, admin } = suite;
  const tenant = suite.tenant();
  const mac = development.macs.get(serial)?.mac;
  if (mac === undefined) throw new Error(`there is no simulated Mac ${serial}`);
  return {
    tenant, mac, project: suite.project(tenant), ci: lease('ci', { serial }), vm: (name, attributes = {}) => instance(name, idOf('ci'), attributes),
    status: async () => (await admin.get(Kinds.MacNode, { name: serial })).status,
    thirds: async () => (await development.operator().audit.rows({ type: 'Third instance rejected' })).filter((row) => row.tenant === tenant.namespace),
  };
}
