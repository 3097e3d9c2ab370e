import { mutantsOf, type Mutant } from './mutant';

const TABLE = 'test/conformance/crd.test.ts';
const set = (field: string): string => `(has(self.${field}) && self.${field} == oldSelf.${field})`;

/** The rules of the schemas that hold a floor, as the API server loads them. */
export const crdMutants: readonly Mutant[] = [
  ...mutantsOf('deploy/crds/macnodeleases.yaml', TABLE, [
    ['a day as the minimum of a lease', "self >= duration('24h')", "self >= duration('1h')", 'a minimum duration under 24 hours'],
    ['the minimum that only grows', 'self.minimumDuration >= oldSelf.minimumDuration', 'true', 'a lower minimum duration inside the floor'],
    ['the floor that is raised no more once it has passed', "!(oldSelf.status.phase in ['Releasing', 'Released'])", 'true', 'a longer minimum duration while the lease is Releasing'],
    ['the class that stays', 'self.class == oldSelf.class', 'true', 'a class change inside the floor'],
    ['the serial that stays', "(has(self.serial) ? self.serial.lowerAscii() : '') == (has(oldSelf.serial) ? oldSelf.serial.lowerAscii() : '')", 'true', 'a serial change inside the floor'],
    ['the end of the floor that only moves later', 'self.earliestReleaseAt >= oldSelf.earliestReleaseAt', 'true', 'a floor in status that is made earlier', 'a floor in status that is made unset'],
    ['the end of the floor that is there', '!has(self.boundAt) || (has(self.earliestReleaseAt) && ', '!has(self.boundAt) || !has(self.earliestReleaseAt) || (', 'made under a day'],
    ['the day between the binding and the end of the floor', "self.earliestReleaseAt - self.boundAt >= duration('24h')", 'true', 'made under a day'],
    ['Released at the floor and not before', 'self.releasedAt >= self.earliestReleaseAt', 'true', 'a release five hours after binding', 'a release one second before the floor', 'a longer minimum duration'],
    ['the instant of the binding that stays', set('boundAt'), 'true', 'a release five hours after binding'],
    ['the way back to Pending that is closed', "!(self.phase in ['Pending', 'Binding'])", 'true', 'a release five hours after binding'],
  ]),
  ...mutantsOf('deploy/crds/macnodebindings.yaml', TABLE, [
    ['a day as the minimum of a claim', "self >= duration('24h')", "self >= duration('1h')", 'a minimum duration under 24 hours'],
    ['the claim that does not change', 'self == oldSelf', 'true', 'a lower minimum duration inside the floor'],
  ]),
];
