import { join, resolve } from 'node:path';
import { macrackProvider } from '../provider';
import { computed, optional, optionalBlock, required } from '../schema/attributes';
import { schema } from '../schema/schema';
import { list, object, string } from '../schema/types';
import { pagesOf } from './pages';
import { schemaSection } from './schema-section';
import { stalePages } from './stale-pages';

const root = resolve(__dirname, '..', '..', '..');
const handlers = macrackProvider();

describe('the pages of the provider', () => {
  const pages = pagesOf(handlers, root);

  it('are as they would be generated now', () => {
    expect(stalePages(pages, root)).toEqual([]);
  });

  it('are one for the provider, each type and each function, in the layout of the registry', () => {
    expect(Object.keys(pages).sort()).toEqual([
      'data-sources/mac_class.md', 'data-sources/mac_node_lease.md', 'data-sources/mac_node_leases.md', 'functions/parse_lease_id.md', 'index.md',
      'resources/mac_node_lease.md', 'resources/macos_instance.md',
    ]);
  });

  it('have an example each', () => {
    for (const text of Object.values(pages)) expect(text).toMatch(/## Example Usage\n\n```terraform\n[^`]+\n```/);
  });

  it('that are missing, changed or of no type any more are found', () => {
    expect(stalePages(pages, join(root, 'provider'))).toEqual(Object.keys(pages).sort());
    expect(stalePages({ ...pages, 'index.md': 'something else' }, root)).toEqual(['index.md']);
    const { 'index.md': _gone, ...others } = pages;
    expect(stalePages(others, root)).toEqual(['index.md']);
  });
});

it('a schema lists who sets what, with the objects below', () => {
  const section = schemaSection(schema('', {
    b: required(string, 'B.'), a: optional(list(string), 'A.', { sensitive: true }), c: computed(list(object({ d: computed(object({ e: computed(string, 'E.') }), 'D.') })), 'C.'),
    run: optionalBlock({ command: required(string, 'What.') }, 'Runs.'),
  })).join('\n').trimEnd();
  expect(section).toBe([
    '## Schema', '', '### Required', '', '- `b` (String) B.', '',
    '### Optional', '', '- `a` (List of String, Sensitive) A.', '- `run` (Block) Runs. (see [below for nested schema](#nestedblock--run))', '',
    '### Read-Only', '', '- `c` (Attributes List) C. (see [below for nested schema](#nestedatt--c))', '',
    '<a id="nestedatt--c"></a>', '### Nested Schema for `c`', '', 'Read-Only:', '', '- `d` (Attributes) D. (see [below for nested schema](#nestedatt--c--d))', '',
    '<a id="nestedatt--c--d"></a>', '### Nested Schema for `c.d`', '', 'Read-Only:', '', '- `e` (String) E.', '',
    '<a id="nestedblock--run"></a>', '### Nested Schema for `run`', '', 'Required:', '', '- `command` (String) What.',
  ].join('\n'));
});
