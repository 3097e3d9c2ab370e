import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../../cli/pulumi/outcome';
import { asking } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { code, instance, lease } from '../../harness/pulumi/declarations';
import type { PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';
import { stackLines } from './stack-traces';

type Fields = Readonly<Record<string, unknown>>;

/** An input, the reason, and words of what is allowed and what to do. */
type Case = readonly [what: string, args: Fields, reason: string, words: RegExp];

const LEASES: readonly Case[] = [
  ['a class that there is not', { class: 'ultra' }, 'InvalidValue', /"ultra".*base, pro, studio\. Use one of them/s],
  ['no class', { class: null }, 'InvalidValue', /class is not set\. It takes base, pro or studio/],
  ['a class that is a number', { class: 3 }, 'InvalidValue', /class is number 3\. class takes a text/],
  ['a minimum duration under a day', { minimumDuration: '1h' }, 'FloorTooShort', /section 3A\(ii\).*Use 24h or more, up to 8760h/s],
  ['a minimum duration over a year', { minimumDuration: '9000h' }, 'InvalidValue', /"24h" to "8760h"/],
  ['a minimum duration without a unit', { minimumDuration: '24' }, 'InvalidValue', /whole hours with an h.*for example "48h"/],
  ['a minimum duration in days', { minimumDuration: '1d' }, 'InvalidValue', /whole hours with an h/],
  ['an empty name', { name: '' }, 'InvalidValue', /the name is empty.*1 to 58 characters.*Choose such a name/s],
  ['a name of 59 characters', { name: 'n'.repeat(59) }, 'InvalidValue', /59 characters.*1 to 58 characters/s],
  ['a name in capitals', { name: 'CI' }, 'InvalidValue', /lower-case letters/],
  ['a serial with a space', { serial: 'c02 base' }, 'InvalidValue', /1 to 32 letters and digits.*leave serial unset/s],
  ['a word for early release that there is not', { onEarlyRelease: 'later' }, 'InvalidValue', /"refuse".*"hold"/s],
  ['a timeout that is no duration', { timeouts: { create: 'soon' } }, 'InvalidValue', /for example "10m" or "1h30m"/],
  ['an unknown timeout', { timeouts: { read: '1m' } }, 'InvalidValue', /timeouts\.read.*There is no such field/s],
  ['a limit in the words of JavaScript', { maxVms: 3 }, 'InvalidValue', /^(?!.*no field.*no field).*no field "maxVms"\. There is no such field\. No field raises the limit of 2 macOS virtual machines on a Mac \(rule 1/],
];

const shape = (cpu: unknown, memory: unknown, disk: unknown): Fields => ({ shape: { cpu, memory, disk } });

const INSTANCES: readonly Case[] = [
  ['an image that is no image reference', { image: 'not an image' }, 'InvalidValue', /\[registry\/\]path\[:tag\]\[@digest\], for example/],
  ['an empty image', { image: '' }, 'InvalidValue', /OCI reference/],
  ['no image', { image: null }, 'InvalidValue', /image is not set\. It takes an OCI reference/],
  ['no cores', { shape: { memory: '4Gi', disk: '40Gi' } }, 'InvalidValue', /shape\.cpu is not set\. It takes a whole number of cores/],
  ['cores in thousandths', shape('1000m', '4Gi', '40Gi'), 'InvalidValue', /shape\.cpu is string "1000m"\. shape\.cpu takes a number/],
  ['half a core', shape(0.5, '4Gi', '40Gi'), 'InvalidValue', /whole number of cores from 1 to 256/],
  ['a unit of memory that there is not', shape(2, '4GB', '40Gi'), 'InvalidValue', /Ki, Mi, Gi.*for example "8Gi"/],
  ['a disk of nothing', shape(2, '4Gi', '0'), 'InvalidValue', /above zero/],
  ['more than its Mac has', shape(9, '4Gi', '40Gi'), 'ShapeTooLarge', /9 cores of cpu together, and a chassis of class base has 8 cores.*Ask for less, or lease a larger class/s],
  ['a lease that is named by half its id', { lease: 'ci' }, 'InvalidValue', /"namespace\/name", for example|the lease itself, or "team-a\/ci"/],
  ['a name of 59 characters', { name: 'n'.repeat(59) }, 'InvalidValue', /1 to 58 characters/],
  ['a limit in the words of Terraform', { max_vms: 3 }, 'InvalidValue', /no field "max_vms"\. There is no such field.*rule 1/],
];

const label = (kind: string, what: string): string => `${kind}-${what.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

describePulumi('bad input', { macs: macs(1), tenants: 4 }, (suite) => {
  let tenant: TestTenant;
  let project: PulumiProject;
  let run: Outcome;
  let writes: readonly unknown[];
  const own = (index: number): string => `own-${index}`;

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).program(
      ...LEASES.map(([what, args]) => lease(label('lease', what), { name: label('lease', what).slice(0, 40).replace(/-$/, ''), ...args })),
      ...INSTANCES.flatMap(([what, args], i) => [lease(own(i)), instance(label('instance', what), own(i), { name: label('instance', what).slice(0, 40).replace(/-$/, ''), ...args })]),
    );
    ({ result: run, writes } = await asking(suite(), tenant.namespace, () => project.preview()));
  });

  it.each([...LEASES.map((c) => [...c, 'lease'] as const), ...INSTANCES.map((c) => [...c, 'instance'] as const)])('%s: refused at its resource, with what is allowed and what to do', (what, _args, reason, words, kind) => {
    const said = project.errors(run).filter(({ resource }) => resource === label(kind, what));
    expect(new Set(said.map((each) => each.reason))).toEqual(new Set([reason]));
    expect(said[0]?.message.replace(/^\w+: /, '')).toMatch(words);
  });

  it('is refused all in one run, by one check that ends it; nothing is written, and no stack is shown', () => {
    const errors = project.errors(run);
    const checks = errors.filter(({ message }) => message.includes(' has a problem: '));
    expect({ code: run.code, resources: new Set(errors.map(({ resource }) => resource)).size, checks: checks.length, writes, stack: stackLines(run) })
      .toEqual({ code: 1, resources: LEASES.length + INSTANCES.length, checks: 1, writes: [], stack: [] });
  });

  it('is a compile error in TypeScript, in the words of the compiler', async () => {
    const typed = suite().project(suite().tenant(), 'typed').files({ 'index.ts': 'import * as macrack from "macrack/pulumi";\nnew macrack.MacNodeLease("ci", { class: "base", maxVms: 3 });\n' });
    const wrong = await typed.preview();
    expect(wrong.code).toBe(1);
    expect(typed.errors(wrong).map(({ message }) => message).join()).toMatch(/index\.ts.*'maxVms' does not exist in type 'MacNodeLeaseArgs'/s);
  });

  it('of every kind is a compile error, and what is right is none', () => {
    const directory = join(suite().directory, 'programs', 'types');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'index.ts'), TYPED);
    const tsc = spawnSync(process.execPath, [join(suite().directory, 'node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '--strict', '--target', 'es2022', '--module', 'node16', '--moduleResolution', 'node16', '--types', 'node', '--skipLibCheck', 'index.ts'], { cwd: directory, encoding: 'utf8' });
    expect([tsc.status, tsc.stdout]).toEqual([0, '']);
  });

  it('is found behind what another resource brings: an output is checked where it is known', async () => {
    const later = suite().project(suite().tenant(), 'later').program('const image = pulumi.output(Promise.resolve("not an image"));', lease('ci'), instance('vm', 'ci', { image: code('image') }));
    const refused = await later.preview();
    expect([refused.code, new Set(later.errors(refused).map(({ reason, resource }) => `${reason} ${resource}`))]).toEqual([1, new Set(['InvalidValue vm'])]);
  });
});

const TYPED = `
import * as macrack from "macrack/pulumi";
const shape = { cpu: 2, memory: "4Gi", disk: "40Gi" };
const image = "ghcr.io/acme/macos:15.1";
const ci = new macrack.MacNodeLease("ci", { class: "base", minimumDuration: "48h", onEarlyRelease: "hold", timeouts: { create: "1m" } });
new macrack.MacOSInstance("by-object", { lease: ci, image, shape });
new macrack.MacOSInstance("by-name", { lease: "team-a/ci", image, shape, running: false });
new macrack.MacOSInstance("by-output", { lease: ci.leaseId, image, shape });
const phase: macrack.MacNodeLeaseArgs["class"] = "pro";
// @ts-expect-error
new macrack.MacNodeLease("a", { class: "base", maxVms: 3 });
// @ts-expect-error
new macrack.MacNodeLease("b", { class: "base", max_vms: 3 });
// @ts-expect-error
new macrack.MacNodeLease("c", { class: "ultra" });
// @ts-expect-error
new macrack.MacNodeLease("d", {});
// @ts-expect-error
new macrack.MacNodeLease("e", { class: "base", onEarlyRelease: "later" });
// @ts-expect-error
new macrack.MacOSInstance("f", { lease: ci, image, shape, maxVms: 3 });
// @ts-expect-error
new macrack.MacOSInstance("g", { lease: ci, image });
// @ts-expect-error
new macrack.MacOSInstance("h", { lease: ci, image, shape: { cpu: "2", memory: "4Gi", disk: "40Gi" } });
// @ts-expect-error
new macrack.MacOSInstance("i", { image, shape });
export { phase };
`;
