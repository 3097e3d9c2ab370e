/** A value on the wire; exactly one of the two forms is filled. */
export interface DynamicValue {
  readonly msgpack?: Uint8Array;
  readonly json?: Uint8Array;
}
