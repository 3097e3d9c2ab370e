/** HCL that the demo applies, as its reader would write it. */

const SHAPE = '{ cpu = 4, memory = "8Gi", disk = "100Gi" }';
const IMAGE = 'ghcr.io/acme/macos-sequoia:15.1';

/** Head of every configuration: the tenant's own credentials and nothing else. */
export function header(kubeconfig: string): string {
  return [
    'terraform {',
    '  required_providers {',
    '    macrack = { source = "macrack/macrack" }',
    '  }',
    '}',
    '',
    'provider "macrack" {',
    `  config_path = ${JSON.stringify(kubeconfig)}`,
    '}',
    '',
  ].join('\n');
}

/** One lease. `settings` are further attribute lines. */
export function lease(name: string, ...settings: readonly string[]): string {
  return [`resource "macrack_mac_node_lease" "${name}" {`, `  name  = "${name}"`, '  class = "base"', ...settings.map((line) => `  ${line}`), '}', ''].join('\n');
}

/** One instance; `on` is an expression (`macrack_mac_node_lease.ci.id`) or a quoted id. `settings` are further attribute lines. */
export function instance(name: string, on: string, ...settings: readonly string[]): string {
  return [`resource "macrack_macos_instance" "${name}" {`, `  name  = "${name}"`, `  lease = ${on}`, `  image = "${IMAGE}"`, `  shape = ${SHAPE}`, ...settings.map((line) => `  ${line}`), '}', ''].join('\n');
}

/** The `lease` expression of a lease in the same configuration. */
export function ref(name: string): string {
  return `macrack_mac_node_lease.${name}.id`;
}
