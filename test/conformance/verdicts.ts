import type { Reason } from '../../sdk/rules/reasons';

/** Who answers. Each layer states the law by itself; the table holds them against one another. */
export const LAYERS = ['rules', 'crd', 'policy', 'admission', 'operator', 'scheduler', 'agent', 'kernel', 'terraform', 'pulumi', 'cdktf'] as const;
export type Layer = (typeof LAYERS)[number];

/** Layers that a user meets before anything is written. */
export const PREVIEW_LAYERS: readonly Layer[] = ['terraform', 'pulumi', 'cdktf'];

/** Layers that stand in the way of the write or of the start itself. The rules are in neither: they are what others ask. */
export const APPLY_LAYERS: readonly Layer[] = ['crd', 'policy', 'admission', 'operator', 'scheduler', 'agent', 'kernel'];

/** An instance of the lease that is there already. */
export interface Existing {
  readonly name: string;
  readonly phase: 'Running' | 'Stopped' | 'Failed';
}

/** What is asked. Every runner renders it in its own language; hours count from the binding of the lease. */
export type Ask =
  | { readonly kind: 'start'; readonly existing: readonly Existing[]; readonly starting: readonly string[]; readonly lease: 'bound' | 'new' }
  | { readonly kind: 'place'; readonly lease: 'own' | 'foreign' | 'absent' | 'held' | 'namespace-recreated' }
  | { readonly kind: 'identity'; readonly shared: 'machineID' | 'mac' | 'nothing' }
  /** One machine runs and a second is started, while the kernel goes on counting one that has ended. */
  | { readonly kind: 'leaked-slot' }
  | { readonly kind: 'shape'; readonly fits: boolean }
  | { readonly kind: 'new-lease'; readonly minimumDuration?: string; readonly serial?: 'free' | 'leased' | 'absent'; readonly name?: 'held'; readonly adopt?: boolean }
  | { readonly kind: 'release'; readonly afterMs: number; readonly minimumDuration?: string; readonly onEarlyRelease?: 'refuse' | 'hold' }
  | { readonly kind: 'change'; readonly afterMs: number; readonly field: 'class' | 'serial' | 'minimumDuration'; readonly from: string; readonly to: string; readonly phase?: 'Releasing' }
  | { readonly kind: 'floor-rewrite'; readonly how: 'earlier' | 'unset' | 'under a day' | 'later' };

export interface Row {
  /** A sentence; the test's name in every layer. */
  readonly name: string;
  readonly ask: Ask;
  readonly expect: Reason | 'allowed';
  /** Layers that cannot be asked this, each with the reason. */
  readonly skip: Partial<Record<Layer, string>>;
}

export const HOUR_MS = 3_600_000;

const countsNoInstances = 'sees one object at a time, not how many there are';
const onlyMachines = 'sees machines on its Mac, not leases or plans';
const noMachine = 'a stopped instance has no machine';
const startsNoMore = 'judges pods; the lease does not exist yet';
const oneRequest = 'sees one request at a time';
const noTime = 'does not judge floors';
const noPods = 'judges pods, not leases';
const leaseOnly = 'the rule is about the lease; this layer sees pods and claims';
const notStated = 'stated by other layers alone: the schema cannot see a second object';
const runTime = 'identities exist only once a machine is made';
const anyShape = 'a policy cannot look up the class';
const onlyCounts = 'counts machines, and knows nothing else of them';
const takesWhatIsStored = 'works from what the API server has stored';
const noToolSetting = 'knows no tool setting';
const noServer = 'a synth sees the app, not what is on the server';
const wholePlane = 'cannot come about on a whole plane, where no namespace goes before its leases';
const planOnly = 'a plan writes no status';
const passing = 'cannot keep a lease in a phase that passes; the test of the phases shows it';
const statusOnly = 'the schema judges what the operator writes';

/** Of the host alone: what no layer above the machine sees. */
const hostOnly = { crd: runTime, policy: runTime, admission: runTime, scheduler: runTime, terraform: runTime, cdktf: runTime, pulumi: runTime };
/** Of machines and pods, when the row is about a lease. */
const noLeases = { scheduler: noTime, agent: noTime, kernel: onlyCounts };

export const VERDICTS: readonly Row[] = [
  {
    name: 'a third instance beside two running ones is refused',
    ask: { kind: 'start', existing: [{ name: 'a', phase: 'Running' }, { name: 'b', phase: 'Running' }], starting: ['c'], lease: 'bound' },
    expect: 'ThirdInstance',
    skip: { crd: countsNoInstances },
  },
  {
    name: 'a stopped instance counts to two',
    ask: { kind: 'start', existing: [{ name: 'a', phase: 'Running' }, { name: 'b', phase: 'Stopped' }], starting: ['c'], lease: 'bound' },
    expect: 'ThirdInstance',
    skip: { crd: countsNoInstances, policy: noMachine, scheduler: noMachine, agent: noMachine, kernel: noMachine },
  },
  {
    name: 'a failed instance does not count to two',
    ask: { kind: 'start', existing: [{ name: 'a', phase: 'Running' }, { name: 'b', phase: 'Failed' }], starting: ['c'], lease: 'bound' },
    expect: 'allowed',
    skip: { crd: countsNoInstances, cdktf: noServer },
  },
  {
    name: 'a second instance is allowed',
    ask: { kind: 'start', existing: [{ name: 'a', phase: 'Running' }], starting: ['b'], lease: 'bound' },
    expect: 'allowed',
    skip: { crd: countsNoInstances },
  },
  {
    name: 'a lease and three instances, all new, are refused',
    ask: { kind: 'start', existing: [], starting: ['a', 'b', 'c'], lease: 'new' },
    expect: 'ThirdInstance',
    skip: { crd: countsNoInstances, policy: startsNoMore, admission: oneRequest, scheduler: startsNoMore, agent: startsNoMore, kernel: onlyCounts },
  },
  {
    name: 'a lease and two instances, all new, are allowed',
    ask: { kind: 'start', existing: [], starting: ['a', 'b'], lease: 'new' },
    expect: 'allowed',
    skip: { crd: countsNoInstances, policy: startsNoMore, admission: oneRequest, scheduler: startsNoMore, agent: startsNoMore, kernel: onlyCounts },
  },
  {
    name: 'a machine that the kernel refuses while fewer than two run does not start',
    ask: { kind: 'leaked-slot' },
    expect: 'KernelLimit',
    skip: { ...hostOnly, rules: 'what the kernel counts is a fact, which no rule judges', operator: 'takes the reason from the pod' },
  },
  {
    name: "an instance on another tenant's Mac is refused",
    ask: { kind: 'place', lease: 'foreign' },
    expect: 'CrossTenant',
    skip: { crd: notStated, operator: 'an instance names a lease of its own namespace only', kernel: onlyCounts },
  },
  {
    name: "an instance on its own tenant's lease is allowed",
    ask: { kind: 'place', lease: 'own' },
    expect: 'allowed',
    skip: { crd: notStated, kernel: onlyCounts },
  },
  {
    name: 'a namespace made again under the name is another tenant',
    ask: { kind: 'place', lease: 'namespace-recreated' },
    expect: 'CrossTenant',
    skip: { crd: notStated, policy: 'a policy cannot look up the claim', scheduler: 'a taint carries the name, not the UID', agent: 'sees the name of the namespace, not its UID', kernel: onlyCounts, terraform: wholePlane, pulumi: wholePlane, cdktf: noServer },
  },
  {
    name: 'an instance without a lease is refused',
    ask: { kind: 'place', lease: 'absent' },
    expect: 'LeaseNotFound',
    skip: { crd: notStated, policy: 'a policy cannot look up the lease', scheduler: noPods, agent: onlyMachines, kernel: onlyCounts, cdktf: noServer },
  },
  {
    name: 'a new instance on a Held lease is refused',
    ask: { kind: 'place', lease: 'held' },
    expect: 'LeaseNotBound',
    skip: { crd: notStated, policy: 'a policy cannot look up the lease', scheduler: noPods, agent: onlyMachines, kernel: onlyCounts, cdktf: noServer },
  },
  ...(['machineID', 'mac'] as const).map((shared): Row => ({
    name: `a machine that shares its ${shared} with another does not start`,
    ask: { kind: 'identity', shared },
    expect: 'IdentityCollision',
    skip: { ...hostOnly, kernel: onlyCounts },
  })),
  {
    name: 'a machine with an identity of its own starts',
    ask: { kind: 'identity', shared: 'nothing' },
    expect: 'allowed',
    skip: { ...hostOnly, kernel: onlyCounts },
  },
  {
    name: 'shapes that together exceed the chassis are refused',
    ask: { kind: 'shape', fits: false },
    expect: 'ShapeTooLarge',
    skip: { crd: countsNoInstances, policy: anyShape, operator: 'starts what admission let through', scheduler: 'shapes are not scheduler resources', agent: 'starts what admission let through', kernel: onlyCounts },
  },
  {
    name: 'shapes that together fill the chassis are allowed',
    ask: { kind: 'shape', fits: true },
    expect: 'allowed',
    skip: { crd: countsNoInstances, policy: anyShape, operator: 'starts what admission let through', scheduler: 'shapes are not scheduler resources', agent: 'starts what admission let through', kernel: onlyCounts },
  },
  {
    name: 'a minimum duration under 24 hours is refused',
    ask: { kind: 'new-lease', minimumDuration: '23h' },
    expect: 'FloorTooShort',
    skip: { policy: 'the claim copies a floor that the schema let through', operator: 'counts 24 hours whatever is written', ...noLeases },
  },
  {
    name: 'a minimum duration of exactly 24 hours is allowed',
    ask: { kind: 'new-lease', minimumDuration: '24h' },
    expect: 'allowed',
    skip: { policy: 'the claim copies a floor that the schema let through', ...noLeases },
  },
  ...(['leased', 'absent'] as const).map((serial): Row => ({
    name: `a pin on a serial that is ${serial} is refused`,
    ask: { kind: 'new-lease', serial },
    expect: 'SerialUnavailable',
    skip: { crd: notStated, ...(serial === 'absent' ? { policy: 'an absent Mac has no claim to collide with', cdktf: noServer } : {}), scheduler: noPods, agent: onlyMachines, kernel: onlyCounts },
  })),
  {
    name: 'a pin on a free serial is allowed',
    ask: { kind: 'new-lease', serial: 'free' },
    expect: 'allowed',
    skip: { crd: notStated, scheduler: noPods, agent: onlyMachines, kernel: onlyCounts },
  },
  {
    name: 'a new lease under the name of a Held one is refused',
    ask: { kind: 'new-lease', name: 'held' },
    expect: 'NameHeld',
    skip: { crd: notStated, policy: notStated, operator: takesWhatIsStored, scheduler: noPods, agent: onlyMachines, kernel: onlyCounts, cdktf: noServer },
  },
  {
    name: 'adopting a Held lease is allowed',
    ask: { kind: 'new-lease', name: 'held', adopt: true },
    expect: 'allowed',
    skip: { policy: leaseOnly, scheduler: noPods, agent: onlyMachines, kernel: onlyCounts, cdktf: noServer },
  },
  {
    name: 'a release five hours after binding is refused',
    ask: { kind: 'release', afterMs: 5 * HOUR_MS },
    expect: 'EarlyRelease',
    skip: { ...noLeases, cdktf: noServer },
  },
  {
    name: 'a release one second before the floor is refused',
    ask: { kind: 'release', afterMs: 24 * HOUR_MS - 1000 },
    expect: 'EarlyRelease',
    skip: { ...noLeases, cdktf: noServer },
  },
  {
    name: 'a release at the floor is allowed',
    ask: { kind: 'release', afterMs: 24 * HOUR_MS },
    expect: 'allowed',
    skip: { ...noLeases, cdktf: noServer },
  },
  {
    name: 'a longer minimum duration moves the floor',
    ask: { kind: 'release', afterMs: 25 * HOUR_MS, minimumDuration: '48h' },
    expect: 'EarlyRelease',
    skip: { ...noLeases, cdktf: noServer },
  },
  {
    name: 'a release before the floor with hold applied leaves the lease Held',
    ask: { kind: 'release', afterMs: 5 * HOUR_MS, onEarlyRelease: 'hold' },
    expect: 'allowed',
    skip: { crd: noToolSetting, policy: noToolSetting, admission: noToolSetting, operator: noToolSetting, ...noLeases, cdktf: noServer },
  },
  {
    name: 'a class change inside the floor is refused',
    ask: { kind: 'change', afterMs: 5 * HOUR_MS, field: 'class', from: 'base', to: 'pro' },
    expect: 'LeaseImmutable',
    skip: { policy: leaseOnly, operator: takesWhatIsStored, ...noLeases, cdktf: noServer },
  },
  {
    name: 'a serial change inside the floor is refused',
    ask: { kind: 'change', afterMs: 5 * HOUR_MS, field: 'serial', from: 'c02base1', to: 'c02base2' },
    expect: 'LeaseImmutable',
    skip: { policy: leaseOnly, operator: takesWhatIsStored, ...noLeases, cdktf: noServer },
  },
  {
    name: 'a serial in another case is no change',
    ask: { kind: 'change', afterMs: 5 * HOUR_MS, field: 'serial', from: 'c02base1', to: 'C02BASE1' },
    expect: 'allowed',
    skip: { policy: leaseOnly, operator: takesWhatIsStored, ...noLeases, cdktf: noServer },
  },
  {
    name: 'a lower minimum duration inside the floor is refused',
    ask: { kind: 'change', afterMs: 5 * HOUR_MS, field: 'minimumDuration', from: '48h', to: '24h' },
    expect: 'FloorTooShort',
    skip: { policy: leaseOnly, operator: takesWhatIsStored, ...noLeases, cdktf: noServer },
  },
  {
    name: 'a higher minimum duration is allowed',
    ask: { kind: 'change', afterMs: 5 * HOUR_MS, field: 'minimumDuration', from: '24h', to: '48h' },
    expect: 'allowed',
    skip: { policy: leaseOnly, operator: takesWhatIsStored, ...noLeases, cdktf: noServer },
  },
  {
    name: 'a longer minimum duration while the lease is Releasing is refused',
    ask: { kind: 'change', afterMs: 25 * HOUR_MS, field: 'minimumDuration', from: '24h', to: '48h', phase: 'Releasing' },
    expect: 'LeaseImmutable',
    skip: { policy: leaseOnly, operator: takesWhatIsStored, ...noLeases, cdktf: noServer, terraform: passing, pulumi: passing },
  },
  ...(['earlier', 'unset', 'under a day'] as const).map((how): Row => ({
    name: `a floor in status that is made ${how} is refused`,
    ask: { kind: 'floor-rewrite', how },
    expect: 'FloorTooShort',
    skip: { rules: 'compute a floor, they do not store it', policy: statusOnly, admission: 'is not asked about status', ...noLeases, terraform: planOnly, pulumi: planOnly, cdktf: noServer },
  })),
  {
    name: 'a floor in status may move later',
    ask: { kind: 'floor-rewrite', how: 'later' },
    expect: 'allowed',
    skip: { rules: 'compute a floor, they do not store it', policy: statusOnly, admission: 'is not asked about status', ...noLeases, terraform: planOnly, pulumi: planOnly, cdktf: noServer },
  },
];
