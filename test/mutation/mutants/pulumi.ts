import { mutantsOf, type Mutant } from './mutant';

const METHODS = 'provider/pulumi/methods';
const PROGRAM = 'provider/pulumi/program';
const HOOK = `${PROGRAM}/lease-floor-hook.test.ts`;
const RUN = `${PROGRAM}/resources.test.ts`;

/** The refusals of a preview, and what keeps them from being passed by: check, the hook, the collector, the marks of owners, the options that are forced. */
export const pulumiMutants: readonly Mutant[] = [
  ...mutantsOf(`${METHODS}/lease-check.ts`, `${METHODS}/lease-check.test.ts`, [
    ["check's judgement of a lease", 'failures: refusalsOf(judged.findings) };', 'failures: [] };', 'refuses the name of a Held lease', 'refuses another class inside the floor', 'refuses a lower minimum'],
    ["check's look at the inputs of a lease", 'if (hasFailures(findings)) return { inputs, failures: refusalsOf(findings) };', '', 'names every fault of the inputs at once'],
    ['the doubt of check where nobody can be asked', 'if (!look.seen) return inState;', "if (!look.seen) return { ...inState, phase: 'Released' };", 'refuses a change while the control plane answers Unreachable', 'refuses a change while the control plane answers Forbidden'],
  ]),
  ...mutantsOf(`${METHODS}/instance-check.ts`, `${METHODS}/instance-check.test.ts`, [
    ["check's judgement of an instance", 'failures: refusalsOf(judged) };', 'failures: [] };', 'lets the second one be, and refuses the third', 'refuses another tenant', 'refuses one on a Held lease'],
    ["check's look at the inputs of an instance", 'if (hasFailures(read.findings)) return { inputs: read.inputs, failures: refusalsOf(read.findings) };', '', 'names every fault of the inputs at once'],
  ]),
  ...mutantsOf('provider/pulumi/props.ts', `${METHODS}/check-fuzz.test.ts`, [
    ['the unknown of the engine', 'value === UNKNOWN_TEXT ? UNKNOWN : value', 'value', 'of a lease is judged without a fault', 'of an instance is judged without a fault'],
  ]),
  ...mutantsOf(`${METHODS}/provider-process.ts`, `${METHODS}/instance-check.test.ts`, [
    ['the lease that an update must not make', 'if (why !== undefined) return', 'if (false) return', 'refuses it, with the reason'],
  ]),
  ...mutantsOf(`${METHODS}/lease-methods.ts`, `${METHODS}/lease-life.test.ts`, [
    ['the doubt of a refresh', "if (result.kind === 'unread') throw doubtful(result.findings);", "if (result.kind === 'unread') return { id: '', props: {} };", 'throws when the control plane answers Forbidden', 'throws when the control plane answers Unreachable'],
  ]),
  ...mutantsOf(`${METHODS}/difference.ts`, `${METHODS}/diff.test.ts`, [
    ['a replacement that is delete first by its difference', 'replaces: [...replaces], deleteBeforeReplace: true', 'replaces: [...replaces], deleteBeforeReplace: false', 'replaces it, delete first, for another class', 'replaces it, delete first, for another image'],
    ['the difference of what is not known', 'if (is === UNKNOWN) return true;', 'if (is === UNKNOWN) return false;', 'counts an unknown class of a lease as changed', 'counts an unknown lease of an instance as changed'],
  ]),
  ...mutantsOf(`${PROGRAM}/lease-floor-hook.ts`, HOOK, [
    ['the body of the hook', 'if (!hasFailures(findings)) return;', 'return;', 'refuses it inside the floor', 'refuses one that is Binding', 'refuses while the control plane answers Forbidden'],
    ['the hook in a preview', '{ onDryRun: true }', '{ onDryRun: false }', 'for previews too'],
    ['the name of the hook that states keep', "'macrack:lease-floor/v1'", "'macrack:lease-floor/v2'", 'under the name that states keep'],
    ['the text of a fault that has none', "text.trim() === ''", 'false', 'what went wrong is an Error without one', 'what went wrong is a text without one', 'what went wrong is an AggregateError without one'],
    ['the fault itself', "throw new Error(text.trim() === ''", "void new Error(text.trim() === ''", 'refuses it inside the floor', 'refuses while the control plane answers Unreachable'],
    ['the question whether the engine knows hooks', 'if (!supportsHooks()) {', 'if (false) {', 'fails a run whose engine knows no hooks'],
    ['what a refused delete tells of others', 'await this.collector.say(others);', '', 'are the leases that the program no longer has'],
  ]),
  ...mutantsOf(`${PROGRAM}/hook-state.ts`, HOOK, [
    ['the doubt of the hook which lease it is', 'if (missing.length === 0) return lease;', 'return lease;', 'from a state with no uid', 'from a state with no name'],
    ['the secrets of a state', 'Output.isInstance(value) ?', 'false ?', 'whose name is a secret in the state', 'whose uid is a secret in the state'],
  ]),
  ...mutantsOf(`${PROGRAM}/shared.ts`, HOOK, [
    ['the one hook of two copies', "Symbol.for('macrack.io/pulumi/hooks')", "Symbol('hooks')", 'is shared by two copies of the package'],
  ]),
  ...mutantsOf(`${PROGRAM}/options.ts`, RUN, [
    ['the hook of a lease', '{ hooks: { beforeDelete: [hook] } }', '{}', 'is registered with the hook'],
    ['a replacement that is delete first', '= { deleteBeforeReplace: true }', '= {}', 'is registered with the hook, its owner, and delete first', 'is registered with delete first, and without a hook'],
    ['the force of that over a program', 'mergeOptions(opts, DELETE_FIRST)', 'mergeOptions(DELETE_FIRST, opts)', 'is registered with delete first, and without a hook'],
  ]),
  ...mutantsOf(`${PROGRAM}/index.ts`, RUN, [
    ['the hook of a program without a lease', '\nguardLeases();', '', 'registers the hook, also when it declares nothing'],
  ]),
  ...mutantsOf(`${PROGRAM}/registration.ts`, RUN, [
    ['the lease that is made before what names it by a text', 'leaseIdOf(found) ?? ', '', 'is made after a lease that it names by a text'],
  ]),
  ...mutantsOf(`${PROGRAM}/collector.ts`, `${PROGRAM}/collector.test.ts`, [
    ['the list of all refusals', 'await this.say(judged);', '', 'says each refusal of what is declared together', 'counts all instances of the program and the server together'],
    ['removed leases beside a refused check', 'this.isRefused ||= isRefused;', '', 'is of the removed leases that are refused as well'],
    ['leases that nobody declares', 'await this.say(await strays(', 'void (await strays(', 'of leases that nobody declares'],
  ]),
  ...mutantsOf(`${PROGRAM}/strays.ts`, HOOK, [
    ['the wish that was applied', 'storedOnServer(lease, wishOn(lease))', 'storedOnServer(lease)', 'are none that the state lets go'],
  ]),
  ...mutantsOf(`${PROGRAM}/mocked-checks.ts`, 'test/pulumi-components/under-mocks.test.ts', [
    ['the rules in the unit tests of a program', 'if (findings.length > 0) throw', 'if (false) throw', 'a third instance on a lease object', 'the Mac of another tenant', 'a floor below 24 hours'],
  ]),
  ...mutantsOf('provider/core/lease-create.ts', `${METHODS}/lease-life.test.ts`, [
    ['the create that goes on where it was killed', 'target.adopt || isOwnedBy(lease, target.owner)', 'target.adopt', 'takes what this very resource has made'],
    ['the mark that a create looks for', 'target.adopt || isOwnedBy(lease, target.owner)', 'true', 'leaves the lease of another resource alone', 'leaves the lease of nobody of Pulumi alone'],
  ]),
  ...mutantsOf('provider/core/lease-body.ts', `${METHODS}/lease-life.test.ts`, [
    ['the mark of a lease', ', ...ownerMark(owner)', '', 'makes the lease with the mark of its resource'],
  ]),
  ...mutantsOf('provider/core/instance-create.ts', `${METHODS}/instance-life.test.ts`, [
    ['the mark of an instance that a create looks for', 'isOwnedBy(found, target.owner) && ', '', 'leaves the instance of another resource alone'],
  ]),
  ...mutantsOf('provider/core/own.ts', `${METHODS}/lease-life.test.ts`, [
    ['the mark that moves with a resource', 'owner === undefined || isOwnedBy(object, owner)', 'true', 'and the mark of a resource that has a new name'],
  ]),
];
