import { strategicMerge } from './strategic-merge';

const pod = { spec: { containers: [{ name: 'a', image: '1' }, { name: 'b', image: '1' }], tolerations: [{ key: 'x' }] }, metadata: { finalizers: ['one', 'two'], labels: { a: '1' } } };

describe('a strategic merge patch', () => {
  test('merges lists of objects by the key of their kind, and replaces the others', () => {
    expect(strategicMerge(pod, { spec: { containers: [{ name: 'b', image: '2' }, { name: 'c', image: '1' }], tolerations: [{ key: 'y' }] } })).toMatchObject({
      spec: { containers: [{ name: 'a', image: '1' }, { name: 'b', image: '2' }, { name: 'c', image: '1' }], tolerations: [{ key: 'y' }] },
    });
  });

  test('deletes an item, and a value of a set, by directive', () => {
    expect(strategicMerge(pod, { spec: { containers: [{ name: 'a', $patch: 'delete' }] }, metadata: { '$deleteFromPrimitiveList/finalizers': ['one'], labels: { a: null } } })).toEqual({
      spec: { containers: [{ name: 'b', image: '1' }], tolerations: [{ key: 'x' }] }, metadata: { finalizers: ['two'], labels: {} },
    });
  });

  test('adds to a set what it has not', () => {
    expect(strategicMerge(pod, { metadata: { finalizers: ['two', 'three'] } })).toMatchObject({ metadata: { finalizers: ['one', 'two', 'three'] } });
  });

  test('brings a list in the order that the client wants', () => {
    expect(strategicMerge(pod, { spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] } })).toMatchObject({ spec: { containers: [{ name: 'b' }, { name: 'a' }] } });
  });

  test('replaces an object, or keeps only some of its keys, by directive', () => {
    expect(strategicMerge(pod, { metadata: { $patch: 'replace', labels: { b: '2' } } })).toMatchObject({ metadata: { labels: { b: '2' } } });
    expect(strategicMerge({ a: { x: 1, y: 2 } }, { a: { $retainKeys: ['y'], y: 3 } })).toEqual({ a: { y: 3 } });
  });

  test('refuses an item without the key', () => {
    expect(() => strategicMerge(pod, { spec: { containers: [{ image: '2' }] } })).toThrow('does not contain declared merge key: name');
  });
});
