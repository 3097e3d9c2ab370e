import type { MacNodeLease } from '../../../sdk/api/kinds';
import { LEASE_PHASES } from '../../../sdk/api/phases';
import { essentialFault } from '../../core/fault-findings';
import { phaseOf } from '../../core/lease';
import { isUnknown } from '../values/unknown';
import { errorAt } from '../diagnostics';
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
  leases: computed(list(LEASE), 'The leases.'),
});

function rowOf(lease: MacNodeLease) {
  const { metadata: { namespace = '', name }, spec } = lease;
  return { id: `${namespace}/${name}`, name, class: spec.class, minimum_duration: spec.minimumDuration, ...outputsOf(lease) };
}

const byName = (a: MacNodeLease, b: MacNodeLease): number => (a.metadata.name < b.metadata.name ? -1 : 1);

/** Lists leases, of one phase or of all. */
export function leasesDataSource(sessions: Sessions): DataSourceHandler<typeof leasesDataSchema> {
  return {
    schema: leasesDataSchema,
    validate({ phase }) {
      const isPhase = phase === null || isUnknown(phase) || (LEASE_PHASES as readonly string[]).includes(phase);
      return Promise.resolve(isPhase ? [] : [errorAt(['phase'], `InvalidValue: there is no phase ${JSON.stringify(phase)}`, `Phases of a lease are ${LEASE_PHASES.join(', ')}. Use one of them, or leave phase out for all.`)]);
    },
    async read({ namespace, phase }) {
      const session = sessions.current();
      const tenant = namespace ?? defaultNamespace(session);
      const look = await session.core.facts.leases(tenant);
      if (!look.seen) return { state: null, diagnostics: toDiagnostics([essentialFault(look.error, `list leases of namespace ${tenant}`)]) };
      const wanted = look.value.filter((lease) => phase === null || phaseOf(lease) === phase);
      return { state: { namespace: tenant, phase, leases: [...wanted].sort(byName).map(rowOf) } };
    },
  };
}
