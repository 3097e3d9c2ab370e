import type { Attributes } from './configuration';

/** Resources by type and name. */
export type JsonResources = Readonly<Record<string, Readonly<Record<string, Attributes>>>>;

const inJson = (attributes: Attributes): object =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' && value !== null ? `\${${value.expression}}` : value]));

/** The same configuration as the HCL of `configuration`, in JSON: for a file whose name ends in `.tf.json`. Expressions are templates there. */
export function asJson(kubeconfig: string, resources: JsonResources): string {
  const resource = Object.fromEntries(Object.entries(resources).map(([type, byName]) => [type, Object.fromEntries(Object.entries(byName).map(([name, attributes]) => [name, inJson(attributes)]))]));
  return JSON.stringify({ terraform: { required_providers: { macrack: { source: 'macrack/macrack' } } }, provider: { macrack: { config_path: kubeconfig } }, resource }, null, 2);
}
