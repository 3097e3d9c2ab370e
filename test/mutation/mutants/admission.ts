import { mutantsOf, type Mutant } from './mutant';

const TABLE = 'test/conformance/admission.test.ts';

/** Each entry of the webhooks, and each thing that a validator looks at. */
export const admissionMutants: readonly Mutant[] = [
  ...mutantsOf('deploy/webhooks/validating.yaml', TABLE, [
    ['the validating webhook on leases and instances', 'resources: [macnodeleases, macosinstances]', 'resources: [nothing]', 'a third instance beside two running ones', 'a serial that is leased', 'a class change inside the floor'],
    ['the validating webhook on claims', 'resources: [macnodebindings]', 'resources: [nothing]', 'a release five hours after binding'],
    ['the validating webhook on pods', 'resources: [pods]', 'resources: [nothing]', "an instance on another tenant's Mac"],
  ]),
  ...mutantsOf('deploy/webhooks/mutating.yaml', TABLE, [
    ['the mutating webhook on leases and instances', 'resources: [macnodeleases, macosinstances]', 'resources: [nothing]', 'writes down who asked'],
    ['the mutating webhook on pods', 'resources: [pods]', 'resources: [nothing]', 'the tolerations of its own namespace'],
  ]),
  ...mutantsOf('operator/admission/validate-instance.ts', TABLE, [
    ['the third instance at admission', 'both(start, placement, fit)', 'both(placement, fit)', 'a third instance beside two running ones', 'a stopped instance counts to two'],
    ['the lease of an instance at admission', 'both(start, placement, fit)', 'both(start, fit)', 'a namespace made again under the name', 'a new instance on a Held lease'],
    ['the shapes at admission', 'both(start, placement, fit)', 'both(start, placement)', 'shapes that together exceed the chassis'],
    ['the lease that is not there, at admission', 'if (lease === null) return { verdict: placement };', 'if (lease === null) return NOTHING_AGAINST;', 'an instance without a lease'],
  ]),
  ...mutantsOf('operator/admission/validate-lease.ts', TABLE, [
    ['the minimum of a new lease at admission', '    duration,\n    judgeName', '    judgeName', 'a minimum duration under 24 hours'],
    ['the pin on a leased Mac at admission', ' && claim === null', '', 'a serial that is leased'],
    ['the pin on an absent Mac at admission', 'macNode?.spec.class === lease.spec.class && claim', 'claim', 'a serial that is absent'],
    ['the name of a Held lease at admission', 'adopt: false', 'adopt: true', 'under the name of a Held one'],
    ['the change of a lease at admission', 'both(change, grows)', 'both(grows)', 'a class change inside the floor', 'a serial change inside the floor', 'a lower minimum duration inside the floor'],
  ]),
  ...mutantsOf('operator/admission/validate-claim.ts', TABLE, [
    ['the floor of a claim at admission', 'now >= floor', 'now >= 0', 'a release five hours after binding', 'a release one second before the floor', 'a longer minimum duration'],
  ]),
  ...mutantsOf('operator/admission/validate-pod.ts', TABLE, [
    ['the tenant of a pod at admission', 'claim.spec.leaseNamespace === namespace && claim.spec.namespaceUID === uid', 'uid', "an instance on another tenant's Mac"],
  ]),
];
