import type { MacNodeLease } from '../../../sdk/api/kinds';
import { CLASSES, LEASE_PHASES } from '../../../sdk/api/phases';
import { essentialFault } from '../../core/fault-findings';
import { phaseOf } from '../../core/lease';
import { isUnknown, type Unknown } from '../values/unknown';
import { errorAt, type Diagnostics } from '../diagnostics';
import type { DataSourceHandler } from '../handlers';
import { toDiagnostics } from '../resources/finding-diagnostics';
import { leaseOutputs } from '../resources/lease-schema';
import { outputsOf } from '../resources/lease-row';
import type { Sessions } from '../resources/session';
import { computed, optional, optionalComputed } from '../schema/attributes';
import { schema } from '../schema/schema';
import { list, object, string } from '../schema/types';
import { defaultNamespace } from './default-namespace';

const LEASE = object({
  id: computed(string, '"namespace/name".'),
  name: computed(string, 'Name of the lease.'),
  class: computed(string, 'Class of the Mac.'),
  minimum_duration: computed(string, 'Shortest duration in whole hours.'),
  ...leaseOutputs,
});

const leasesDataSchema = schema('The leases of a namespace, sorted by name.', {
  namespace: optionalComputed(string, "The tenant. Default: the provider's namespace, else that of the kubeconfig's context."),
  phase: optional(string, `Only leases of this phase: ${LEASE_PHASES.join(', ')}.`),
  class: optional(string, `Only leases of this class: ${CLASSES.join(', ')}.`),
  leases: computed(list(LEASE), 'The leases.'),
});

function notOneOf(filter: 'phase' | 'class', value: string | Unknown | null, allowed: readonly string[]): Diagnostics {
  if (value === null || isUnknown(value) || allowed.includes(value)) return [];
  return [errorAt([filter], `InvalidValue: there is no ${filter} ${JSON.stringify(value)}`, `Use one of ${allowed.join(', ')}, or leave ${filter} out for all.`)];
}

function rowOf(lease: MacNodeLease) {
  const { metadata: { namespace = '', name }, spec } = lease;
  return { id: `${namespace}/${name}`, name, class: spec.class, minimum_duration: spec.minimumDuration, ...outputsOf(lease) };
}

const byName = (a: MacNodeLease, b: MacNodeLease): number => (a.metadata.name < b.metadata.name ? -1 : 1);

/** Lists leases, by phase, by class, or all. */
export function leasesDataSource(sessions: Sessions): DataSourceHandler<typeof leasesDataSchema> {
  return {
    schema: leasesDataSchema,
    validate: ({ phase, class: className }) => Promise.resolve([...notOneOf('phase', phase, LEASE_PHASES), ...notOneOf('class', className, CLASSES)]),
    async read({ namespace, phase, class: className }) {
      const session = sessions.current();
      const tenant = namespace ?? defaultNamespace(session);
      const look = await session.core.facts.leases(tenant);
      if (!look.seen) return { state: null, diagnostics: toDiagnostics([essentialFault(look.error, `list leases of namespace ${tenant}`)]) };
      const wanted = look.value.filter((lease) => (phase ?? phaseOf(lease)) === phaseOf(lease) && (className ?? lease.spec.class) === lease.spec.class);
      return { state: { namespace: tenant, phase, class: className, leases: [...wanted].sort(byName).map(rowOf) } };
    },
  };
}
