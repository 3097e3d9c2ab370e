import { mutantsOf, type Mutant } from './mutant';

/** The refusals of a plan. The engine itself would need a build; these are the tests of the same code without it. */
export const providerMutants: readonly Mutant[] = [
  ...mutantsOf('provider/core/instance-slots.ts', 'provider/core/instance-slots.test.ts', [
    ['the third instance at plan', 'starting: ledger.creates.map(declaredHolder),', 'starting: [],', 'beside two that exist is refused', 'on a lease that is new itself is refused'],
  ]),
  ...mutantsOf('provider/core/instance-plan-create.ts', 'provider/core/instance-slots.test.ts', [
    ['the tenant at plan', '...findingsOf(both(verdict), instanceSubject(named, idOf(lease)))', '', 'is refused for another tenant', 'is refused on a Held lease'],
  ]),
  ...mutantsOf('provider/core/lease-plan-delete.ts', 'provider/core/lease-plan.test.ts', [
    ['the early release at plan', '[...general, ...strictFindingsOf(verdict, leaseSubject(prior))]', 'general', 'is refused before its floor'],
  ]),
  ...mutantsOf('provider/core/lease-plan-update.ts', 'provider/core/lease-plan.test.ts', [
    ['the change inside the floor at plan', 'if (judged.length > 0) return judged;', '', 'of class is LeaseImmutable inside the floor'],
  ]),
  ...mutantsOf('provider/core/lease-plan-create.ts', 'provider/core/lease-plan.test.ts', [
    ['the name of a Held lease at plan', 'const verdict = judgeName({ ...named, class: className, adopt: adopt === true,', 'const verdict = judgeName({ ...named, class: className, adopt: true,', 'is refused under the name of a Held lease'],
    ['the pin that the run has already, at plan', '...findingsOf(pin, subject),', '', 'may pin a Mac once in a run'],
    ['the replacement that nobody wrote, at plan', 'if (early.length > 0 || floorState', 'if (floorState', 'that is in the state is a replacement nobody wrote'],
  ]),
];
