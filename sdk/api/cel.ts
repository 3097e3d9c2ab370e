import { LONGEST_NAME } from './names';

/** A rule of a CRD schema, in the server's own expression language. */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
  readonly reason?: 'FieldValueForbidden' | 'FieldValueInvalid';
}

/** Attaches CEL to a schema. No rule of the licence is a zod refinement: refinements vanish silently when a schema is emitted. */
export function cel(...rules: readonly CelRule[]): { 'x-kubernetes-validations': readonly CelRule[] } {
  return { 'x-kubernetes-validations': rules };
}

/** A field that, once set, keeps its value and cannot be unset. At parent level: a leaf rule is beaten by unset, then set. */
export function setOnce(field: string): CelRule {
  return { rule: `!has(oldSelf.${field}) || (has(self.${field}) && self.${field} == oldSelf.${field})`, message: `macrack: ${field} is set once and cannot be changed or removed` };
}

/** Root rule: the name is a DNS label of at most 58 characters, since pods append `-vm-0` and a label has 63. */
export function shortLabelName(what: string): CelRule {
  return {
    rule: `self.metadata.name.size() <= ${LONGEST_NAME} && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')`,
    message: `macrack: the name of ${what} is a DNS label (lower-case letters, digits and dashes) of at most ${LONGEST_NAME} characters`,
  };
}
