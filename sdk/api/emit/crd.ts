import type { PrinterColumn } from './columns';
import { type DefinedKind, Definitions } from './definitions';
import type { JsonSchema } from './json-schema';
import { jsonSchemaOf } from './json-schema-of';
import { structuralFaults } from './structural';

export interface CustomResourceDefinition {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string };
  spec: {
    group: string;
    scope: 'Namespaced' | 'Cluster';
    names: { kind: string; listKind: string; plural: string; singular: string; shortNames?: string[]; categories: string[] };
    versions: [{
      name: string; served: true; storage: true;
      additionalPrinterColumns: PrinterColumn[];
      subresources?: { status: Record<string, never> };
      schema: { openAPIV3Schema: JsonSchema };
    }];
  };
}

/** The CRD of a kind. Throws with every fault when its schema is not structural. */
export function crdOf(name: DefinedKind): CustomResourceDefinition {
  const { kind, shortNames, status, columns } = Definitions[name];
  const schema = jsonSchemaOf(name);
  const faults = structuralFaults(schema);
  if (faults.length > 0) throw new Error(`${name} has no structural schema:\n${faults.join('\n')}`);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.plural}.${kind.group}` },
    spec: {
      group: kind.group,
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      names: {
        kind: name, listKind: `${name}List`, plural: kind.plural, singular: name.toLowerCase(),
        ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}), categories: ['macrack'],
      },
      versions: [{
        name: kind.version, served: true, storage: true,
        additionalPrinterColumns: [...columns],
        ...(status === undefined ? {} : { subresources: { status: {} } }),
        schema: { openAPIV3Schema: schema },
      }],
    },
  };
}
