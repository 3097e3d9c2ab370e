import { IMAGE_PATTERN, LONGEST_IMAGE } from './image';
import { macOSInstanceSpec } from './mac-os-instance';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

test.each([
  'macos', 'macos:15', 'acme/macos:15.2', 'ghcr.io/acme/macos-sequoia-base:latest', 'localhost:5000/macos', 'registry.acme.example:5000/team/macos:15',
  `ghcr.io/acme/macos@${digest}`, `ghcr.io/acme/macos:15@${digest}`, `127.0.0.1:5000/macos@${digest}`, 'acme/mac__os/mac.os/mac---os', 'ghcr.io/acme/macos:V15_2-rc.1',
])('%s is an image', (image) => {
  expect(image).toMatch(IMAGE_PATTERN);
});

test.each([
  '', ' ', 'mac os', ' macos', 'macos ', 'macos\n', 'MacOS', 'ghcr.io/Acme/macos', 'ghcr.io/acme/macos:', 'ghcr.io/acme/macos:.15', `macos:${'a'.repeat(129)}`,
  'macos@', 'macos@sha256', 'macos@sha256:abc', `macos@${digest}g`, 'https://ghcr.io/acme/macos', 'ghcr.io//macos', '/macos', 'macos/', 'ghcr.io:/macos', 'ghcr.io:port/macos', '-macos', 'macos-', 'mac..os', 'a___b', 'macos:15:16',
])('%j is no image', (image) => {
  expect(image).not.toMatch(IMAGE_PATTERN);
});

test('an image that is too long is refused, and judged in no time that grows with its square', () => {
  const spec = { leaseName: 'ci', shape: { cpu: 4, memory: '8Gi', disk: '60Gi' } };
  expect(macOSInstanceSpec.safeParse({ ...spec, image: 'a'.repeat(LONGEST_IMAGE) }).success).toBe(true);
  expect(macOSInstanceSpec.safeParse({ ...spec, image: 'a'.repeat(LONGEST_IMAGE + 1) }).success).toBe(false);
  expect(`${'a-'.repeat(LONGEST_IMAGE / 2)}!`).not.toMatch(IMAGE_PATTERN);
});
