import type { PeerCertificate } from 'node:tls';
import { identifyClient } from './client-identity';

// A field that is repeated is a list, which the types of Node do not say.
const of = (subject: Record<string, string | string[]> | undefined) => identifyClient({ subject } as unknown as Pick<PeerCertificate, 'subject'>);

describe('who asks an agent', () => {
  it('is the operator by its name', () => {
    expect(of({ CN: 'macrack-operator', O: 'macrack:operators' })).toEqual({ name: 'macrack-operator', isOperator: true });
  });

  it('is a fleet operator by one of the groups', () => {
    expect(of({ CN: 'grace', O: ['admins', 'macrack:fleet-operators'] })).toEqual({ name: 'grace', isOperator: false });
  });

  it('is nobody by two names, one of which is the operator\'s', () => {
    expect(of({ CN: ['macrack-operator', 'tenant-a'], O: 'macrack:fleet-operators' })).toBeUndefined();
  });

  it.each([
    ['another name', { CN: 'tenant-a' }],
    ['a group that only looks like it', { CN: 'x', O: 'macrack:fleet-operators:former' }],
    ['a group without a name', { O: 'macrack:fleet-operators' }],
    ['no certificate', undefined],
  ])('is nobody by %s', (_what, subject) => {
    expect(of(subject)).toBeUndefined();
  });
});
