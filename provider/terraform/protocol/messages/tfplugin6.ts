import type { PackageTable, Rpc } from './descriptor';

const DIAGNOSTICS = 'repeated Diagnostic';

/** A call that checks one configuration. */
const validateNamed: Rpc = {
  request: { type_name: '1 string', config: '2 DynamicValue' },
  response: { diagnostics: `1 ${DIAGNOSTICS}` },
};

/**
 * Protocol 6 as this provider serves it to terraform 1.0 and later, and to tofu. Fields and calls that it never
 * reads or sets are left out: the encoding drops what it does not know.
 */
export const TFPLUGIN6: PackageTable = {
  name: 'tfplugin6',
  enums: {
    Severity: ['INVALID', 'ERROR', 'WARNING'],
    StringKind: ['PLAIN', 'MARKDOWN'],
    NestingMode: ['INVALID', 'SINGLE', 'LIST', 'SET', 'MAP'],
  },
  messages: {
    DynamicValue: { msgpack: '1 bytes', json: '2 bytes' },
    RawState: { json: '1 bytes', flatmap: '2 map<string, string>' },
    Step: { attribute_name: '1 string', element_key_string: '2 string', element_key_int: '3 int64' },
    AttributePath: { steps: '1 repeated Step' },
    Diagnostic: { severity: '1 Severity', summary: '2 string', detail: '3 string', attribute: '4 AttributePath' },
    Attribute: {
      name: '1 string', type: '2 bytes', description: '3 string', required: '4 bool', optional: '5 bool',
      computed: '6 bool', sensitive: '7 bool', description_kind: '8 StringKind', nested_type: '10 NestedObject',
    },
    NestedObject: { attributes: '1 repeated Attribute', nesting: '3 NestingMode' },
    Block: { version: '1 int64', attributes: '2 repeated Attribute', block_types: '3 repeated NestedBlock', description: '4 string', description_kind: '5 StringKind' },
    NestedBlock: { type_name: '1 string', block: '2 Block', nesting: '3 NestingMode' },
    Schema: { version: '1 int64', block: '2 Block' },
    ServerCapabilities: { plan_destroy: '1 bool', get_provider_schema_optional: '2 bool', move_resource_state: '3 bool' },
    TypeName: { type_name: '1 string' },
    FunctionName: { name: '1 string' },
    Function: { parameters: '1 repeated Parameter', return: '3 Return', summary: '4 string', description: '5 string', description_kind: '6 StringKind' },
    Parameter: { name: '1 string', type: '2 bytes', description: '5 string', description_kind: '6 StringKind' },
    Return: { type: '1 bytes' },
    FunctionError: { text: '1 string', function_argument: '2 int64' },
    ImportedResource: { type_name: '1 string', state: '2 DynamicValue', private: '3 bytes' },
  },
  services: {
    Provider: {
      GetMetadata: {
        request: {},
        response: {
          server_capabilities: '1 ServerCapabilities', diagnostics: `2 ${DIAGNOSTICS}`,
          data_sources: '3 repeated TypeName', resources: '4 repeated TypeName', functions: '5 repeated FunctionName',
        },
      },
      GetProviderSchema: {
        request: {},
        response: {
          provider: '1 Schema', resource_schemas: '2 map<string, Schema>', data_source_schemas: '3 map<string, Schema>',
          diagnostics: `4 ${DIAGNOSTICS}`, server_capabilities: '6 ServerCapabilities',
          functions: '7 map<string, Function>',
        },
      },
      ValidateProviderConfig: { request: { config: '1 DynamicValue' }, response: { diagnostics: `2 ${DIAGNOSTICS}` } },
      ValidateResourceConfig: validateNamed,
      ValidateDataResourceConfig: validateNamed,
      UpgradeResourceState: {
        request: { type_name: '1 string', version: '2 int64', raw_state: '3 RawState' },
        response: { upgraded_state: '1 DynamicValue', diagnostics: `2 ${DIAGNOSTICS}` },
      },
      ConfigureProvider: {
        request: { terraform_version: '1 string', config: '2 DynamicValue' },
        response: { diagnostics: `1 ${DIAGNOSTICS}` },
      },
      ReadResource: {
        request: { type_name: '1 string', current_state: '2 DynamicValue', private: '3 bytes' },
        response: { new_state: '1 DynamicValue', diagnostics: `2 ${DIAGNOSTICS}`, private: '3 bytes' },
      },
      PlanResourceChange: {
        request: {
          type_name: '1 string', prior_state: '2 DynamicValue', proposed_new_state: '3 DynamicValue',
          config: '4 DynamicValue', prior_private: '5 bytes',
        },
        response: {
          planned_state: '1 DynamicValue', requires_replace: '2 repeated AttributePath',
          planned_private: '3 bytes', diagnostics: `4 ${DIAGNOSTICS}`,
        },
      },
      ApplyResourceChange: {
        request: {
          type_name: '1 string', prior_state: '2 DynamicValue', planned_state: '3 DynamicValue',
          config: '4 DynamicValue', planned_private: '5 bytes',
        },
        response: { new_state: '1 DynamicValue', private: '2 bytes', diagnostics: `3 ${DIAGNOSTICS}` },
      },
      ImportResourceState: {
        request: { type_name: '1 string', id: '2 string' },
        response: { imported_resources: '1 repeated ImportedResource', diagnostics: `2 ${DIAGNOSTICS}` },
      },
      MoveResourceState: {
        request: { source_type_name: '2 string', target_type_name: '5 string' },
        response: { diagnostics: `2 ${DIAGNOSTICS}` },
      },
      ReadDataSource: {
        request: { type_name: '1 string', config: '2 DynamicValue' },
        response: { state: '1 DynamicValue', diagnostics: `2 ${DIAGNOSTICS}` },
      },
      GetFunctions: { request: {}, response: { functions: '1 map<string, Function>', diagnostics: `2 ${DIAGNOSTICS}` } },
      CallFunction: {
        request: { name: '1 string', arguments: '2 repeated DynamicValue' },
        response: { result: '1 DynamicValue', error: '2 FunctionError' },
      },
      StopProvider: { request: {}, response: { Error: '1 string' } },
    },
  },
};
