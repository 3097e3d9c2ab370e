import { connect, PlaneError } from './index';

jest.mock('@kubernetes/client-node', () => {
  throw new Error('client-node was loaded');
});

it('types and errors of the client load without client-node, which connect alone needs', async () => {
  expect(PlaneError.name).toBe('PlaneError');
  await expect(connect({ host: 'https://127.0.0.1:1' })).rejects.toThrow('client-node was loaded');
});
