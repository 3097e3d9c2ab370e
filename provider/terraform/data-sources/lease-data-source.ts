import { Kinds } from '../../../sdk/api/kinds';
import { lookOf } from '../../core/facts';
import { essentialFault } from '../../core/fault-findings';
import { failure } from '../../core/finding';
import type { DataSourceHandler } from '../handlers';
import { toDiagnostics } from '../resources/finding-diagnostics';
import { leaseOutputs } from '../resources/lease-schema';
import { outputsOf } from '../resources/lease-row';
import type { Sessions } from '../resources/session';
import { computed, optionalComputed, required } from '../schema/attributes';
import { schema } from '../schema/schema';
import { string } from '../schema/types';
import { defaultNamespace } from './default-namespace';

const leaseDataSchema = schema('A lease that exists, whoever manages it.', {
  id: computed(string, '"namespace/name".'),
  namespace: optionalComputed(string, "The tenant. Default: the provider's namespace, else that of the kubeconfig's context."),
  name: required(string, 'Name of the lease.'),
  class: computed(string, 'Class of the Mac.'),
  serial: computed(string, 'The Mac that is pinned; null where none is.'),
  minimum_duration: computed(string, 'Shortest duration in whole hours.'),
  ...leaseOutputs,
});

/** Reads one lease. */
export function leaseDataSource(sessions: Sessions): DataSourceHandler<typeof leaseDataSchema> {
  return {
    schema: leaseDataSchema,
    async read(config) {
      const session = sessions.current();
      const named = { namespace: config.namespace ?? defaultNamespace(session), name: config.name };
      const look = await lookOf(session.core.plane, (plane) => plane.tryGet(Kinds.MacNodeLease, named));
      const id = `${named.namespace}/${named.name}`;
      if (!look.seen) return { state: null, diagnostics: toDiagnostics([essentialFault(look.error, `read lease ${id}`)]) };
      if (look.value === null) return { state: null, diagnostics: toDiagnostics([failure('LeaseNotFound', 'name', `there is no lease ${id}`, `Namespace ${named.namespace} has no lease of that name. \`kubectl get macnodeleases -n ${named.namespace}\` lists them.`)]) };
      const { spec } = look.value;
      return { state: { ...named, id, class: spec.class, serial: spec.serial ?? null, minimum_duration: spec.minimumDuration, ...outputsOf(look.value) } };
    },
  };
}
