import { CLASSES, macClassSpec, parseQuantity } from '../../sdk/api';
import { manifests } from './manifests';

interface MacClass { apiVersion: string; kind: string; metadata: { name: string }; spec: { cpu: number; memory: string; disk: string } }

const classes = manifests<MacClass>('classes');

test('there is a MacClass for each class that a lease may name', () => {
  expect(classes.map(({ kind, metadata }) => [kind, metadata.name])).toEqual(CLASSES.map((name) => ['MacClass', name]));
});

test.each(classes.map((macClass) => [macClass.metadata.name, macClass] as const))('%s fits the schema of its kind', (_name, { apiVersion, spec }) => {
  expect(apiVersion).toBe('macrack.io/v1');
  expect(macClassSpec.parse(spec)).toEqual(spec);
});

test('each class is larger than the one before it', () => {
  for (const size of [(c: MacClass) => c.spec.cpu, (c: MacClass) => parseQuantity(c.spec.memory), (c: MacClass) => parseQuantity(c.spec.disk)]) {
    const sizes = classes.map(size);
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
  }
});
