import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../cli/terraform/outcome';
import { type Attributes, idOf, IMAGE, instance, instanceAddress, lease, leaseAddress, raw } from '../harness/configuration';
import { asking } from '../harness/plane-eyes';
import type { Project } from '../harness/project';
import { saying } from '../harness/saying';
import { describeTerraform, macs, type TestTenant } from '../harness/terraform-suite';

/** An input, the reason, the line that is pointed at, and words of what is allowed and what to do. */
type Case = readonly [what: string, attributes: Attributes, reason: string, at: string, words: RegExp];

const LEASES: readonly Case[] = [
  ['a class that there is not', { class: 'ultra' }, 'InvalidValue', 'class = "ultra"', /"ultra".*base, pro, studio\. Use one of them/s],
  ['a minimum duration under a day', { minimum_duration: '1h' }, 'FloorTooShort', 'minimum_duration = "1h"', /section 3A\(ii\).*Use 24h or more, up to 8760h/s],
  ['a minimum duration over a year', { minimum_duration: '9000h' }, 'InvalidValue', 'minimum_duration = "9000h"', /"24h" to "8760h"/],
  ['a minimum duration without a unit', { minimum_duration: '24' }, 'InvalidValue', 'minimum_duration = "24"', /whole hours with an h.*for example "48h"/],
  ['a minimum duration in days', { minimum_duration: '1d' }, 'InvalidValue', 'minimum_duration = "1d"', /whole hours with an h/],
  ['an empty name', { name: '' }, 'InvalidValue', 'name = ""', /the name is empty.*1 to 58 characters.*Choose such a name/s],
  ['a name of 59 characters', { name: 'n'.repeat(59) }, 'InvalidValue', `name = "${'n'.repeat(59)}"`, /59 characters.*1 to 58 characters/s],
  ['a name that is null', { name: raw('null') }, 'InvalidValue', 'name = null', /required, and null counts as left out.*Give it a value/s],
  ['a name in capitals', { name: 'CI' }, 'InvalidValue', 'name = "CI"', /lower-case letters/],
  ['a serial with a space', { serial: 'c02 base' }, 'InvalidValue', 'serial = "c02 base"', /1 to 32 letters and digits.*leave serial unset/s],
  ['a word for early release that there is not', { on_early_release: 'later' }, 'InvalidValue', 'on_early_release = "later"', /"refuse".*"hold"/s],
  ['a timeout that is no duration', { timeouts: raw('{ create = "soon" }') }, 'InvalidValue', 'timeouts = { create = "soon" }', /for example "10m" or "1h30m"/],
];

const sized = (cpu: string, memory: string, disk: string): Attributes => ({ shape: raw(`{ cpu = ${cpu}, memory = "${memory}", disk = "${disk}" }`) });

const INSTANCES: readonly Case[] = [
  ['an image that is no image reference', { image: 'not an image' }, 'InvalidValue', 'image = "not an image"', /\[registry\/\]path\[:tag\]\[@digest\], for example/],
  ['an empty image', { image: '' }, 'InvalidValue', 'image = ""', /OCI reference/],
  ['an image that is null', { image: raw('null') }, 'InvalidValue', 'image = null', /null counts as left out/],
  ['cores that are null', { shape: raw('{ cpu = null, memory = "4Gi", disk = "40Gi" }') }, 'InvalidValue', 'shape = { cpu = null, memory = "4Gi", disk = "40Gi" }', /shape\.cpu is required/],
  ['half a core', sized('0.5', '4Gi', '40Gi'), 'InvalidValue', 'shape = { cpu = 0.5, memory = "4Gi", disk = "40Gi" }', /whole number of cores from 1 to 256/],
  ['no core', sized('0', '4Gi', '40Gi'), 'InvalidValue', 'shape = { cpu = 0, memory = "4Gi", disk = "40Gi" }', /whole number of cores/],
  ['a unit of memory that there is not', sized('2', '4GB', '40Gi'), 'InvalidValue', 'shape = { cpu = 2, memory = "4GB", disk = "40Gi" }', /Ki, Mi, Gi.*for example "8Gi"/],
  ['a disk of nothing', sized('2', '4Gi', '0'), 'InvalidValue', 'shape = { cpu = 2, memory = "4Gi", disk = "0" }', /above zero/],
  ['a lease that is named by half its id', { lease: 'ci' }, 'InvalidValue', 'lease = "ci"', /"namespace\/name", for example/],
  ['an instance name of 59 characters', { name: 'n'.repeat(59) }, 'InvalidValue', `name = "${'n'.repeat(59)}"`, /1 to 58 characters/],
];

describeTerraform('bad input', { macs: macs(1), tenants: 3 }, (suite) => {
  let tenant: TestTenant;
  let project: Project;

  describe('that can be seen in the configuration alone', () => {
    let run: Outcome;
    let writes: readonly unknown[];
    const label = (what: string) => what.replaceAll(' ', '_');

    beforeAll(async () => {
      tenant = suite().tenant();
      project = suite().project(tenant);
      project.configure(
        ...LEASES.map(([what, attributes]) => lease(label(what), { name: 'ok', ...attributes })),
        ...INSTANCES.map(([what, attributes]) => instance(label(what), `${tenant.namespace}/ok`, { name: 'ok', ...attributes })),
      );
      ({ result: run, writes } = await asking(suite(), tenant.namespace, () => project.plan()));
    });

    it.each([...LEASES.map((c) => [...c, leaseAddress] as const), ...INSTANCES.map((c) => [...c, instanceAddress] as const)])('%s: refused at its line, with what is allowed and what to do', (what, _attributes, reason, at, words, addressOf) => {
      const said = project.errors(run).filter(({ address }) => address === addressOf(label(what)));
      expect(said).toEqual([expect.objectContaining({ reason, at })]);
      expect(`${said[0]?.summary}\n${said[0]?.detail}`).toMatch(words);
    });

    it('is refused all in one run, and nothing is written', () => {
      expect({ code: run.code, errors: project.errors(run).length, writes }).toEqual({ code: 1, errors: LEASES.length + INSTANCES.length, writes: [] });
    });
  });

  it('a size beyond the class is refused at its line, for a lease that does not exist yet', async () => {
    project.configure(lease('ok'), instance('huge', idOf('ok'), { shape: raw('{ cpu = 9, memory = "4Gi", disk = "40Gi" }') }));
    const run = await project.plan();
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'ShapeTooLarge', at: 'shape = { cpu = 9, memory = "4Gi", disk = "40Gi" }' })]);
    expect(project.errors(run)[0]?.detail).toMatch(/9 cores of cpu together, and a chassis of class base has 8 cores.*Ask for less, or lease a larger class/s);
  });

  it('`cpu = "1000m"` is no number, in the words of the engine', async () => {
    const run = await project.configure(lease('ok'), instance('milli', idOf('ok'), { shape: raw('{ cpu = "1000m", memory = "4Gi", disk = "40Gi" }') })).plan();
    expect(project.errors(run)).toEqual([expect.objectContaining({ summary: 'Incorrect attribute value type', at: 'shape = { cpu = "1000m", memory = "4Gi", disk = "40Gi" }' })]);
  });

  it('a kubeconfig that is missing is an error at `config_path`, with what else to set', async () => {
    const lost = suite().project(tenant, 'lost', '/nowhere/kubeconfig').configure(lease('ok'));
    const run = await lost.plan();
    expect(lost.errors(run)).toEqual([expect.objectContaining({ reason: 'NotConnected', at: 'config_path = "/nowhere/kubeconfig"' })]);
    expect(lost.errors(run)[0]?.detail).toMatch(/kubeconfig \/nowhere\/kubeconfig does not exist.*Set config_path .*or host with token/s);
  });

  it('a kubeconfig that is none is an error that quotes nothing of it', async () => {
    const path = join(suite().directory, 'broken.kubeconfig');
    writeFileSync(path, 'users: [ {token: s3cr3t\n');
    const broken = suite().project(tenant, 'broken', path).configure(lease('ok'));
    const run = await broken.plan();
    expect(broken.errors(run)).toEqual([expect.objectContaining({ reason: 'NotConnected', at: `config_path = "${path}"`, detail: saying('is not YAML: see line 2') })]);
    expect(run.stdout).not.toContain('s3cr3t');
  });

  it('a namespace that is missing is refused at plan, with the command that makes it', async () => {
    const admin = suite().project(tenant, 'admin', suite().development.kubeconfigs['macrack-admin']);
    admin.configure(lease('ok', { namespace: 'nowhere' }), instance('vm', idOf('ok'), { image: IMAGE }));
    const { result: run, writes } = await asking(suite(), 'macrack-admin', () => admin.plan());
    expect(admin.errors(run)).toEqual([expect.objectContaining({ reason: 'NamespaceNotFound', at: 'namespace = "nowhere"', detail: saying('kubectl create namespace nowhere') })]);
    expect(writes).toEqual([]);
  });

  it('a namespace in which the user has no rights cannot be checked at plan, and fails in the apply', async () => {
    const outside = suite().project(tenant, 'outside').configure(lease('ok', { namespace: 'nowhere' }));
    const run = await outside.apply();
    expect(outside.warnings(run).filter(({ reason }) => reason === 'NotChecked')).not.toEqual([]);
    expect(outside.errors(run)).toEqual([expect.objectContaining({ reason: 'Forbidden', address: leaseAddress('ok'), detail: saying('Ask the administrator for the role macrack-tenant-editor') })]);
  });
});
