import { mutantsOf, type Mutant } from './mutant';

const TABLE = 'test/conformance/operator.test.ts';

export const operatorMutants: readonly Mutant[] = [
  ...mutantsOf('operator/reconcile/instance/slots.ts', TABLE, [
    ["the operator's two slots", 'slot < INSTANCES_PER_CHASSIS', 'slot < INSTANCES_PER_CHASSIS + 1', 'a third instance beside two running ones', 'a lease and three instances, all new'],
    ["the operator's choice of the third", 'surplus.add(metadata.uid)', 'slots.set(metadata.uid, 1)', 'a third instance beside two running ones'],
  ]),
  ...mutantsOf('operator/reconcile/instance/slots.ts', 'operator/reconcile/instance/slots.test.ts', [
    ['the youngest as the third', 'x < y ? -1 : x > y ? 1 : 0', 'x < y ? 1 : x > y ? -1 : 0', 'the youngest of three has none'],
  ]),
  ...mutantsOf('operator/reconcile/instance/facts.ts', TABLE, [
    ['the namespace behind a claim', 'namespaceUID === undefined || namespaceUID === claim.spec.namespaceUID ? claim : null', 'claim', 'a namespace made again under the name'],
  ]),
  ...mutantsOf('operator/reconcile/instance/identity.ts', TABLE, [
    ["the operator's look at identities", 'verdict.refusals[0]?.message', '[].at(0)?.message', 'shares its machineID', 'shares its mac'],
  ]),
  ...mutantsOf('operator/reconcile/lease/wanted-status.ts', TABLE, [
    ['the operator holding an early release', "now >= floor ? 'Releasing' : 'Held'", "'Releasing'", 'a release five hours after binding', 'a release one second before the floor'],
  ]),
  ...mutantsOf('operator/reconcile/claim/floor.ts', TABLE, [
    ['the longer floor of a lease', 'Math.max(floorOf(claim.spec.minimumDuration), floorOf(leaseMinimum))', 'floorOf(undefined)', 'a longer minimum duration moves the floor'],
  ]),
  ...mutantsOf('operator/reconcile/claim/decide.ts', 'operator/reconcile/claim/decide.test.ts', [
    ['the wait for the floor of a claim', 'if (now < floor) {', 'if (now < 0) {', 'waits for its floor', 'waits for a longer floor'],
    ['the margin past the floor of a claim', 'now < end ? waitUntil(end) : null', 'null', 'is a margin past its floor'],
    ['the question to the Mac before a claim ends', 'if (live && doubt !== null) return', 'if (false) return', 'waits until its Mac confirms that it is wiped'],
  ]),
  ...mutantsOf('operator/reconcile/lease/decide.ts', 'operator/reconcile/lease/decide.test.ts', [
    ['the question to the Mac before a claim is made', 'live && doubt !== null', 'false', 'goes back in line from one that does not confirm'],
  ]),
  ...mutantsOf('operator/reconcile/certificates/judge.ts', 'operator/reconcile/certificates/approval.test.ts', [
    ['the hardware behind a certificate', "if (claimed.toLowerCase() === macNode?.spec.hardwareUUID.toLowerCase()) return undefined;", 'if (claimed.length >= 0) return undefined;', 'and with another logic board'],
  ]),
  ...mutantsOf('operator/reconcile/lease/facts.ts', 'operator/reconcile/lease/queueing.test.ts', [
    ['the lease that a claim names', 'mac.claim?.spec.leaseUID === lease.metadata.uid ? mac.claim : null', 'mac.claim', 'for one free Mac end with one Bound'],
  ]),
  ...mutantsOf('operator/reconcile/node/bindable.ts', 'operator/reconcile/node/bindable.test.ts', [
    ['the claim that makes a Mac taken', "if (claim !== null) return 'claimed';", '', 'is not bindable: one that has a claim'],
    ['the retirement that takes a Mac out of the pool', ' || macNode.spec.retired', '', 'is not bindable: one that is retired'],
  ]),
  ...mutantsOf('operator/reconcile/engine/write.ts', 'operator/reconcile/engine/write.test.ts', [
    ['compare-and-swap of the spec', 'return plane.patch(kind, ref(object), patch, { preconditions: preconditions(object) });', 'return plane.patch(kind, ref(object), patch);', 'of metadata and spec'],
    ['compare-and-swap of the status', ", preconditions: preconditions(object) });\n}\n\n/** Deletes", ' });\n}\n\n/** Deletes', 'of the status'],
    ['the uid of what is deleted', ', { preconditions: { uid: object.metadata.uid } }', '', 'deletes'],
  ]),
];
