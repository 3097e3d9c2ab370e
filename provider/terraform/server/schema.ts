import type { Schema } from '../schema/schema';
import { describeSchema } from '../schema/describe';
import type { Session } from './session';

/** Without `plan_destroy` no destroy could be refused at plan. */
const CAPABILITIES = { plan_destroy: true, get_provider_schema_optional: true, move_resource_state: false };

type Registry = Readonly<Record<string, { readonly schema: Schema }>>;

export function getProviderSchema({ handlers }: Session): object {
  return {
    provider: describeSchema(handlers.configSchema),
    resource_schemas: describeAll(handlers.resources),
    data_source_schemas: describeAll(handlers.dataSources),
    server_capabilities: CAPABILITIES,
  };
}

export function getMetadata({ handlers }: Session): object {
  return {
    server_capabilities: CAPABILITIES,
    resources: namesOf(handlers.resources),
    data_sources: namesOf(handlers.dataSources),
  };
}

function describeAll(registry: Registry): object {
  return Object.fromEntries(Object.entries(registry).map(([name, { schema }]) => [name, describeSchema(schema)]));
}

function namesOf(registry: Registry): object[] {
  return Object.keys(registry).map((name) => ({ type_name: name }));
}
