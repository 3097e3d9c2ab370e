const WARNING = /\b(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"/g;

/** Texts of `Warning` headers (RFC 7234, section 5.5) with the code 299, the one that Kubernetes uses. */
export function parseWarnings(header: string | readonly string[] | undefined): string[] {
  const lines = header === undefined ? [] : typeof header === 'string' ? [header] : header;
  return lines.flatMap((line) => [...line.matchAll(WARNING)]).filter(([, code]) => code === '299').map((match) => (match[3] ?? '').replace(/\\(.)/g, '$1'));
}
