/** Matches a text that contains the words; typed so that it may stand inside an expected object. */
export function saying(words: string | RegExp): unknown {
  return typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words);
}
