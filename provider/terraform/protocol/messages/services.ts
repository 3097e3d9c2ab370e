import type { ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import type { PackageTable } from './descriptor';
import { toDescriptor } from './descriptor';

/**
 * The named service of a table, ready for a gRPC server. Field names stay as they are in the table; 64-bit
 * integers are numbers (only schema versions and list positions use them); a zero or empty field arrives as its
 * default rather than missing.
 */
export function serviceOf(table: PackageTable, service: string): ServiceDefinition {
  const definitions = fromJSON(toDescriptor(table), { keepCase: true, longs: Number, enums: String, defaults: true });
  const found = definitions[`${table.name}.${service}`];
  if (!found || 'format' in found) throw new Error(`the message table of ${table.name} has no service ${service}`);
  return found;
}
