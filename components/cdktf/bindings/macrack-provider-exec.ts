// Generated from the provider's schema by components/emit; do not edit.
import { type AttributeTable, optional, required } from '../base/attributes';

/** A program that prints credentials, instead of token or clientCertificate. It is asked again when they expire. */
export interface MacrackProviderExec {
  /** What the program prints: "client.authentication.k8s.io/v1" or "client.authentication.k8s.io/v1beta1". */
  readonly apiVersion: string;
  /** Its arguments. */
  readonly args?: string[];
  /** The program. */
  readonly command: string;
  /** Variables for it, on top of those of terraform. */
  readonly env?: { [key: string]: string };
}

export const MACRACK_PROVIDER_EXEC: AttributeTable = {
  apiVersion: required('string'),
  args: optional({ list: 'string' }),
  command: required('string'),
  env: optional({ map: 'string' }),
};
