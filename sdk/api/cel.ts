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
