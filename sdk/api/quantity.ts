const QUANTITY = /^([0-9]+(?:\.[0-9]+)?)(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)?$/;
const SCALE: Record<string, number> = {
  '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15,
  Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50,
};

/** Bytes of a Kubernetes quantity ("8Gi"); undefined for anything that is not a positive whole number of bytes. */
export function tryParseQuantity(text: string): number | undefined {
  const match = QUANTITY.exec(text);
  if (match === null) return undefined;
  const bytes = Number(match[1]) * (SCALE[match[2] ?? ''] ?? NaN);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}

/** Bytes of a quantity. Throws RangeError. */
export function parseQuantity(text: string): number {
  const bytes = tryParseQuantity(text);
  if (bytes === undefined) throw new RangeError(`not a quantity of bytes: ${JSON.stringify(text)}`);
  return bytes;
}

/** Quantities are compared by value: "8Gi" is "8192Mi". */
export function isSameQuantity(a: string, b: string): boolean {
  const bytes = tryParseQuantity(a);
  return a === b || (bytes !== undefined && bytes === tryParseQuantity(b));
}
