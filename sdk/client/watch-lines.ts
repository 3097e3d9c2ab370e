/** Splits a stream of bytes at newlines. `onBytes` is called at every sign of life. */
export async function* watchLines(stream: AsyncIterable<Buffer>, onBytes: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    onBytes();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
  }
}
