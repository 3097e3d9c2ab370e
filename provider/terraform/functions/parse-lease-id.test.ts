import { parseLeaseId } from './parse-lease-id';

describe('parse_lease_id', () => {
  it('gives namespace and name', () => {
    expect(parseLeaseId.call(['team-a/ci'])).toEqual({ value: { namespace: 'team-a', name: 'ci' } });
  });

  it.each(['', 'ci', '/ci', 'team-a/', 'a/b/c', 'team a/ci', 'team-a/ümlaut', 'Team-A/ci', `team-a/${'x'.repeat(64)}`])('refuses %j at its argument, with the form', (id) => {
    expect(parseLeaseId.call([id])).toEqual({ fault: `${JSON.stringify(id)} is no id of a lease, which is "namespace/name", for example "team-a/ci"`, argument: 0 });
  });
});
