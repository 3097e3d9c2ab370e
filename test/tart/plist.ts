export type Plist = string | number | boolean | readonly Plist[] | { readonly [key: string]: Plist };

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n';
const TOKEN = /<(\/?)([a-z]+)(?: version="1\.0")?\s*(\/?)>|([^<]+)/y;

interface Token { readonly name: string; readonly kind: 'open' | 'close' | 'empty' | 'text'; readonly text: string }

function tokens(body: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < body.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(body);
    if (match === null) throw new Error(`not well-formed at: ${body.slice(at, at + 40)}`);
    const [, slash, name = '', empty, text = ''] = match;
    if (/&(?!(amp|lt|gt|quot|apos);)/.test(text)) throw new Error(`a bare ampersand in: ${text}`);
    if (name !== '') found.push({ name, kind: slash === '/' ? 'close' : empty === '/' ? 'empty' : 'open', text: '' });
    else if (text.trim() !== '') found.push({ name: '', kind: 'text', text });
  }
  return found;
}

/** Reads a property list in XML as strictly as Apple's reader: the standard head, known elements, each closed, keys once. */
export function readPlist(xml: string): Plist {
  if (!xml.startsWith(HEAD)) throw new Error('not the head of a property list');
  const queue = tokens(xml.slice(HEAD.length).replace(/<!--(?:(?!--)[^])*-->/g, ''));
  const take = (kind: Token['kind'], name: string): Token => {
    const token = queue.shift();
    if (token?.kind !== kind || token.name !== name) throw new Error(`${kind} ${name} is expected, not ${JSON.stringify(token)}`);
    return token;
  };
  const isNext = (kind: Token['kind'], name: string): boolean => queue[0]?.kind === kind && queue[0].name === name;
  const text = (name: string): string => {
    take('open', name);
    const said = isNext('text', '') ? take('text', '').text : '';
    take('close', name);
    return said;
  };
  const value = (): Plist => {
    const next = queue[0];
    if (next?.kind === 'empty' && (next.name === 'true' || next.name === 'false')) return queue.shift()?.name === 'true';
    if (next?.name === 'string') return text('string');
    if (next?.name === 'integer') return Number(/^-?\d+$/.exec(text('integer'))?.[0] ?? NaN);
    if (next?.name === 'array') return many('array', value);
    const pairs = many('dict', () => [text('key'), value()] as const);
    if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error('a key is there twice');
    return Object.fromEntries(pairs);
  };
  function many<T>(name: string, each: () => T): T[] {
    take('open', name);
    const items: T[] = [];
    while (!isNext('close', name)) items.push(each());
    take('close', name);
    return items;
  }
  take('open', 'plist');
  const root = value();
  take('close', 'plist');
  if (queue.length > 0) throw new Error(`after the end: ${JSON.stringify(queue[0])}`);
  return root;
}
