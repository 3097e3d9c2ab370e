/** Begins all of them, and puts the end of each that began before `ends`, also when another did not begin. Rejects with the first failure. */
export async function beginAll<T extends { readonly stop: () => Promise<void> }>(each: readonly Promise<T>[], ends: (() => Promise<void>)[]): Promise<T[]> {
  const begun = await Promise.allSettled(each);
  for (const one of begun) if (one.status === 'fulfilled') ends.unshift(one.value.stop);
  return Promise.all(each);
}
