/** Reads the URL of an API server for another host's kubeconfig. Throws RangeError. */
export function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') throw new RangeError(`--server takes https://host:port, not ${JSON.stringify(text)}`);
  return text;
}
