import { mutantsOf, type Mutant } from './mutant';

const TABLE = 'test/conformance/rules.test.ts';

export const ruleMutants: readonly Mutant[] = [
  ...mutantsOf('sdk/rules/limits.ts', TABLE, [
    ['two machines on a Mac', 'INSTANCES_PER_CHASSIS = 2', 'INSTANCES_PER_CHASSIS = 3', 'a third instance beside two running ones', 'a lease and three instances, all new'],
    ['a day as the shortest lease', 'FLOOR_MS = 24 *', 'FLOOR_MS = 23 *', 'a minimum duration under 24 hours'],
  ]),
  ...mutantsOf('sdk/rules/judge-start.ts', TABLE, [
    ['the judgement of a start', 'asked.length > 0 && staying.length + asked.length > INSTANCES_PER_CHASSIS', 'false', 'a third instance beside two running ones', 'a lease and three instances, all new'],
    ['the slot of a stopped instance', "h.state !== 'Failed'", "h.state !== 'Failed' && h.state !== 'Stopped'", 'a stopped instance counts to two'],
  ]),
  ...mutantsOf('sdk/rules/judge-placement.ts', TABLE, [
    ['the judgement of a tenant', 'if (facts.instance.namespace !== facts.leaseRef.namespace) return crossTenant(facts);', '', "an instance on another tenant's Mac"],
    ['the judgement of a namespace that was made again', 'namespaceUID === lease.namespaceUID ? ALLOWED : recreatedNamespace(facts)', 'ALLOWED', 'a namespace made again under the name'],
    ['the lease that an instance needs', 'if (facts.lease === null) return notFound(facts);', 'if (facts.lease === null) return ALLOWED;', 'an instance without a lease'],
    ['the phase that an instance needs', "phase === 'Bound' || phase === 'declared'", "phase !== ''", 'a new instance on a Held lease'],
  ]),
  ...mutantsOf('sdk/rules/judge-identity.ts', TABLE, [
    ['the judgement of a machine identifier', 'k.machineID === candidate.machineID', 'false', 'shares its machineID'],
    ['the judgement of a MAC address', 'sameMac(k.mac, candidate.mac)', 'false', 'shares its mac'],
  ]),
  ...mutantsOf('sdk/rules/judge-shape.ts', TABLE, [['the judgement of shapes', 'if (sum <= has) return ALLOWED;', 'if (sum >= 0) return ALLOWED;', 'shapes that together exceed the chassis']]),
  ...mutantsOf('sdk/rules/judge-release.ts', TABLE, [
    ['the judgement of a release', "facts.onEarlyRelease === 'hold' && !facts.replacement", 'true', 'a release five hours after binding', 'a longer minimum duration moves the floor'],
  ]),
  ...mutantsOf('sdk/rules/lease-facts.ts', TABLE, [
    ['the last second of a floor', 'now >= until', 'now >= until - 1000', 'a release one second before the floor'],
  ]),
  ...mutantsOf('sdk/rules/duration.ts', TABLE, [['a floor of more than a day', 'Math.min(asked ?? FLOOR_MS, LONGEST_FLOOR_MS)', 'FLOOR_MS', 'a longer minimum duration moves the floor']]),
  ...mutantsOf('sdk/rules/judge-lease-change.ts', TABLE, [
    ['the judgement of a change', '...REPLACING.map((f) => judgeField(f, facts, floor)), ', '', 'a class change inside the floor', 'a serial change inside the floor'],
    ['the judgement of a lower minimum', ', judgeMinimum(facts, floor)', '', 'a lower minimum duration inside the floor'],
    ['the judgement of a floor that begins once the lease is ending', ', judgeRaise(facts));', ');', 'a longer minimum duration while the lease is Releasing'],
    ['the judgement of a first minimum', 'asked < FLOOR_MS', 'asked < 0', 'a minimum duration under 24 hours'],
  ]),
  ...mutantsOf('sdk/rules/judge-name.ts', TABLE, [['the judgement of a name', "facts.existing.phase !== 'Held'", "facts.existing.phase !== ''", 'under the name of a Held one']]),
  ...mutantsOf('sdk/rules/judge-capacity.ts', TABLE, [['the judgement of a pin', 'return available ? ALLOWED : refuse', 'return available || true ? ALLOWED : refuse', 'a serial that is leased', 'a serial that is absent']]),
  ...mutantsOf('sdk/rules/judge-capacity.ts', 'sdk/rules/judge-names-and-places.test.ts', [
    ['the judgement of capacity', 'if (wanted <= free) return ALLOWED;', 'if (wanted >= 0) return ALLOWED;', 'that is not free now is a warning, and refuses a replacement'],
  ]),
];
