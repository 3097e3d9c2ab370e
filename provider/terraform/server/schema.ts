import type { Schema } from '../schema/schema';
import { describeFunction, describeSchema } from '../schema/describe';
import type { ProviderHandlers } from '../handlers';
import type { Session } from './session';

/** Without `plan_destroy` no destroy could be refused at plan. */
const CAPABILITIES = { plan_destroy: true, get_provider_schema_optional: true, move_resource_state: false };

type Registry = Readonly<Record<string, { readonly schema: Schema }>>;

export function getProviderSchema({ handlers }: Session): object {
  return {
    provider: describeSchema(handlers.configSchema),
    resource_schemas: describeAll(handlers.resources),
    data_source_schemas: describeAll(handlers.dataSources),
    functions: describeFunctions(handlers),
    server_capabilities: CAPABILITIES,
  };
}

export function getMetadata({ handlers }: Session): object {
  return {
    server_capabilities: CAPABILITIES,
    resources: namesOf(handlers.resources),
    data_sources: namesOf(handlers.dataSources),
    functions: Object.keys(handlers.functions ?? {}).map((name) => ({ name })),
  };
}

/** Asked for apart from the schemas by tofu. */
export function getFunctions({ handlers }: Session): object {
  return { functions: describeFunctions(handlers) };
}

function describeFunctions({ functions = {} }: ProviderHandlers): object {
  return Object.fromEntries(Object.entries(functions).map(([name, { signature }]) => [name, describeFunction(signature)]));
}

function describeAll(registry: Registry): object {
  return Object.fromEntries(Object.entries(registry).map(([name, { schema }]) => [name, describeSchema(schema)]));
}

function namesOf(registry: Registry): object[] {
  return Object.keys(registry).map((name) => ({ type_name: name }));
}
