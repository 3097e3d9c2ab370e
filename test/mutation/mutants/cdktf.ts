import { mutantsOf, type Mutant } from './mutant';

const rules = 'test/cdktf/rules.test.ts';

/** The refusals of a synth. */
export const cdktfMutants: readonly Mutant[] = [
  ...mutantsOf('components/cdktf/rules/stack-faults.ts', rules, [
    ['the third instance at synth', 'starting: group.flatMap(holders),', 'starting: [],', 'refuses three instances that refer to one lease', 'refuses three instances of one lease whether they refer to it or name it', 'refuses three instances of a lease that a data source looks up'],
    ['the tenant at synth', '...instances.filter(isHere).flatMap(placementFindings),', '', 'refuses an instance in another namespace than its lease'],
    ['the pin that another lease has, at synth', '...pinFindings(leases),', '', 'refuses a serial that two tenants pin'],
    ['the name that is used twice, at synth', "...nameFindings('lease', leases.filter(isHere)),", '', 'refuses two resources of one name'],
  ]),
  ...mutantsOf('components/cdktf/rules/declared.ts', rules, [
    ['the literal `count` at synth', "return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? Math.min(count, MOST_TIMES) : 0;", 'return 1;', 'counts a literal `count` as that many'],
  ]),
  ...mutantsOf('components/cdktf/rules/leases.ts', rules, [
    ['the lease that an instance refers to, at synth', 'if (found.times !== 1) return undefined;', 'return undefined;', 'refuses three instances that refer to one lease'],
  ]),
  ...mutantsOf('components/cdktf/rules/input-faults.ts', rules, [
    ['the floor under a day at synth', '...found.map(inWords)', '', 'refuses a floor under 24 hours'],
  ]),
  ...mutantsOf('components/cdktf/base/fit.ts', rules, [
    ['the plan that values are left to', String.raw`return Token.isUnresolved(value) || /[$%]\{/.test(value);`, 'return false;', 'leaves to the plan what only the plan knows'],
  ]),
  ...mutantsOf('components/cdktf/rules/watch.ts', rules, [
    ['the validation of a stack', 'stack.node.addValidation({ validate: () => this.judged() });', '', 'lists every refusal in one error'],
    ['the rules of a synth that does not validate', 'if (!this.isDue) return;', 'return;', 'cannot be told to skip the rules', 'is refused as HCL too'],
  ]),
  ...mutantsOf('components/cdktf/rules/type-faults.ts', 'test/cdktf/bad-input.test.ts', [
    ['the field that does not exist', '[...unknown.map(', '[...[].map(', 'a field that would raise the limit', 'a field in the spelling of HCL'],
  ]),
  ...mutantsOf('components/cdktf/rules/construct-faults.ts', 'test/cdktf/dedicated-macs.test.ts', [
    ['the size of a chassis at synth', 'shapes: known })', 'shapes: [] })', 'refuses sizes beyond a chassis where its size is given'],
  ]),
  ...mutantsOf('components/cdktf/base/library.ts', 'test/cdktf/mixed-libraries.test.ts', [
    ['the refusal of the other library', 'if (other === undefined || other === LIBRARY) continue;', 'continue;', 'a lease: refused where it is made', 'are refused where only their stack is of the other library'],
  ]),
];
