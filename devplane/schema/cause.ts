/** One line of a 422: the field, the kind of fault as Kubernetes names it, and the sentence. */
export interface Cause {
  reason: 'FieldValueInvalid' | 'FieldValueRequired' | 'FieldValueNotSupported' | 'FieldValueForbidden' | 'FieldValueDuplicate' | 'FieldValueTypeInvalid' | 'FieldValueTooLong' | 'FieldValueTooMany';
  field: string;
  message: string;
}
