import type { Outcome } from '../../../cli/terraform/outcome';
import { type Attributes, IMAGE, instance, instanceAddress, lease, leaseAddress, raw, SHAPE } from '../../harness/configuration';
import { asJson } from '../../harness/json-configuration';
import { asking } from '../../harness/plane-eyes';
import type { Project } from '../../harness/project';
import type { PlaneSuite, TestTenant } from '../../harness/terraform-suite';

/** An input, the reason, the line that is pointed at, and words of what is allowed and what to do. */
type Case = readonly [what: string, attributes: Attributes, reason: string, at: string, words: RegExp];

const LEASES: readonly Case[] = [
  ['a class that there is not', { class: 'ultra' }, 'InvalidValue', 'class = "ultra"', /"ultra".*base, pro, studio\. Use one of them/s],
  ['a minimum duration under a day', { minimum_duration: '1h' }, 'FloorTooShort', 'minimum_duration = "1h"', /section 3A\(ii\).*Use 24h or more, up to 8760h/s],
  ['a minimum duration over a year', { minimum_duration: '9000h' }, 'InvalidValue', 'minimum_duration = "9000h"', /"24h" to "8760h"/],
  ['a minimum duration without a unit', { minimum_duration: '24' }, 'InvalidValue', 'minimum_duration = "24"', /whole hours with an h.*for example "48h"/],
  ['a minimum duration of a number', { minimum_duration: 24 }, 'InvalidValue', 'minimum_duration = 24', /whole hours with an h/],
  ['a minimum duration in minutes', { minimum_duration: '1440m' }, 'InvalidValue', 'minimum_duration = "1440m"', /whole hours with an h/],
  ['a minimum duration with a fraction', { minimum_duration: '24.0h' }, 'InvalidValue', 'minimum_duration = "24.0h"', /whole hours with an h/],
  ['a minimum duration in the form of ISO 8601', { minimum_duration: 'P1D' }, 'InvalidValue', 'minimum_duration = "P1D"', /whole hours with an h/],
  ['a minimum duration in capitals', { minimum_duration: '24H' }, 'InvalidValue', 'minimum_duration = "24H"', /whole hours with an h/],
  ['a minimum duration in days', { minimum_duration: '1d' }, 'InvalidValue', 'minimum_duration = "1d"', /whole hours with an h/],
  ['an empty name', { name: '' }, 'InvalidValue', 'name = ""', /the name is empty.*1 to 58 characters.*Choose such a name/s],
  ['a name of 59 characters', { name: 'n'.repeat(59) }, 'InvalidValue', `name = "${'n'.repeat(59)}"`, /59 characters.*1 to 58 characters/s],
  ['a name of 64 characters', { name: 'n'.repeat(64) }, 'InvalidValue', `name = "${'n'.repeat(64)}"`, /64 characters.*1 to 58 characters/s],
  ['a name with a dot', { name: 'ci.mac' }, 'InvalidValue', 'name = "ci.mac"', /lower-case letters/],
  ['a name in unicode', { name: 'bücher' }, 'InvalidValue', 'name = "bücher"', /lower-case letters/],
  ['a name with a dash at its end', { name: 'ci-' }, 'InvalidValue', 'name = "ci-"', /lower-case letters/],
  ['a serial in unicode', { serial: 'ｃ02' }, 'InvalidValue', 'serial = "ｃ02"', /1 to 32 letters and digits/],
  ['a name that is null', { name: raw('null') }, 'InvalidValue', 'name = null', /required, and null counts as left out.*Give it a value/s],
  ['a name in capitals', { name: 'CI' }, 'InvalidValue', 'name = "CI"', /lower-case letters/],
  ['a serial with a space', { serial: 'c02 base' }, 'InvalidValue', 'serial = "c02 base"', /1 to 32 letters and digits.*leave serial unset/s],
  ['a word for early release that there is not', { on_early_release: 'later' }, 'InvalidValue', 'on_early_release = "later"', /"refuse".*"hold"/s],
  ['a timeout that is no duration', { timeouts: raw('{ create = "soon" }') }, 'InvalidValue', 'timeouts = { create = "soon" }', /for example "10m" or "1h30m"/],
];

const sized = (cpu: string, memory: string, disk: string): Attributes => ({ shape: raw(`{ cpu = ${cpu}, memory = "${memory}", disk = "${disk}" }`) });

const INSTANCES: readonly Case[] = [
  ['an image that is no image reference', { image: 'not an image' }, 'InvalidValue', 'image = "not an image"', /\[registry\/\]path\[:tag\]\[@digest\], for example/],
  ['an image with a digest that is too short', { image: 'ghcr.io:5000/acme/macos:15@sha256:abc' }, 'InvalidValue', 'image = "ghcr.io:5000/acme/macos:15@sha256:abc"', /@digest\], for example/],
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

/** What a configuration alone shows to be wrong, in HCL and in JSON. */
export function badInput(suite: () => PlaneSuite): void {
  describe('that can be seen in the configuration alone', () => {
    let tenant: TestTenant;
    let project: Project;
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

    it('is refused alike in the JSON syntax, at its line', async () => {
      const json = suite().project(tenant, 'json');
      json.workspace.write(asJson(tenant.kubeconfig, {
        macrack_mac_node_lease: Object.fromEntries(LEASES.map(([what, attributes]) => [label(what), { name: 'ok', class: 'base', ...attributes }])),
        macrack_macos_instance: Object.fromEntries(INSTANCES.map(([what, attributes]) => [label(what), { name: 'ok', lease: `${tenant.namespace}/ok`, image: IMAGE, shape: SHAPE, ...attributes }])),
      }), 'main.tf.json');
      const inJson = await json.plan();
      const told = (of: Project, outcome: Outcome) => of.errors(outcome).map(({ address, reason }) => `${address} ${reason}`).sort();
      expect(told(json, inJson)).toEqual(told(project, run));
      expect(json.errors(inJson).filter(({ at }) => at === undefined)).toEqual([]);
    });
  });
}
