import { LIBRARIES, load } from './flavour';
import { anything, IMAGE, reasonsOf, refusedBySynth, SHAPE, stackIn } from './stack';

type Case = readonly [what: string, config: object, refusal: RegExp];

const LONG = 'n'.repeat(64);
const DIGEST = `sha256:${'0a'.repeat(32)}`;

const LEASES: readonly Case[] = [
  ['a name in unicode', { name: 'läufer' }, /name: "läufer" is no name.*lower-case letters, digits and hyphens/],
  ['a name with a dot', { name: 'ci.mac' }, /name: "ci\.mac" is no name/],
  ['a name of 64 characters', { name: LONG }, /name: the name has 64 characters.*1 to 58 characters/],
  ['an empty name', { name: '' }, /name: the name is empty/],
  ['a name that is null', { name: null }, /name is null\. name is required, and is a text\. Give it a value/],
  ['a name that is left out', { name: undefined }, /name is left out\. name is required/],
  ['a name that is an object', { name: { first: 'ci' } }, /name is \{"first":"ci"\}\. name is a text/],
  ['a namespace in unicode', { namespace: 'Büro' }, /namespace: "Büro" is no namespace/],
  ['a class that there is not', { class: 'ultra' }, /class: there is no class "ultra".*base, pro, studio\. Use one of them/],
  ['a class that is a number', { class: 3 }, /class: there is no class "3"/],
  ['a serial with a space', { serial: 'c02 x' }, /serial: "c02 x" is no serial number.*1 to 32 letters and digits/],
  ['a minimum duration without a unit', { minimumDuration: '24' }, /minimumDuration: "24" is no minimum duration.*whole hours with an h/],
  ['a minimum duration that is a number', { minimumDuration: 48 }, /minimumDuration: "48" is no minimum duration/],
  ['a minimum duration in days', { minimumDuration: '2d' }, /minimumDuration: "2d" is no minimum duration/],
  ['a minimum duration in hours and minutes', { minimumDuration: '24h0m' }, /minimumDuration: "24h0m" is no minimum duration/],
  ['a minimum duration of half hours', { minimumDuration: '24.5h' }, /minimumDuration: "24\.5h" is no minimum duration/],
  ['a minimum duration with a space', { minimumDuration: '24 h' }, /minimumDuration: "24 h" is no minimum duration/],
  ['a minimum duration over a year', { minimumDuration: '9000h' }, /minimumDuration: a minimum duration of 9000h is too long/],
  ['a word for early release that there is not', { onEarlyRelease: 'later' }, /onEarlyRelease: "later".*"refuse".*"hold"/],
  ['an adoption that is a word', { adopt: 'yes' }, /adopt is "yes"\. adopt is true or false/],
  ['timeouts that are a text', { timeouts: '10m' }, /timeouts is "10m"\. timeouts is an object \{ create, delete, update \}/],
  ['a timeout that is no duration', { timeouts: { create: 'soon' } }, /timeouts\.create: "soon" is no duration.*for example "10m" or "1h30m"/],
  ['a field that would raise the limit', { maxVMs: 3 }, /MacNodeLease has no field "maxVMs": there is no such field\..*2 macOS virtual machines on a Mac \(rule 1;/],
  ['a field in the spelling of HCL', { minimum_duration: '48h' }, /MacNodeLease has no field "minimum_duration".*use one of: .*minimumDuration/],
  ['a timeout for what there is not', { timeouts: { read: '1m' } }, /MacNodeLease has no field "timeouts\.read".*timeouts\.create, timeouts\.delete, timeouts\.update/],
];

const INSTANCES: readonly Case[] = [
  ['an instance name of 64 characters', { name: LONG }, /name: the name has 64 characters/],
  ['a lease that is named by half its id', { lease: 'ci' }, /lease: "ci" names no lease.*lease\.id, or "team-a\/ci"/],
  ['a lease that is an object', { lease: { id: 'ci' } }, /lease is \{"id":"ci"\}\. lease is a text/],
  ['an image that is none', { image: 'not an image' }, /image: "not an image" is no image reference.*\[registry\/\]path\[:tag\]\[@digest\]/],
  ['an image with a digest that is cut short', { image: `${IMAGE}@sha256:0a` }, /image: .* is no image reference/],
  ['half a core', { shape: { ...SHAPE, cpu: 0.5 } }, /shape\.cpu: 0\.5 is no number of cores.*whole number of cores from 1 to 256/],
  ['millicores', { shape: { ...SHAPE, cpu: '1000m' } }, /shape\.cpu is "1000m"\. shape\.cpu is a number/],
  ['cores that are not a number', { shape: { ...SHAPE, cpu: NaN } }, /shape\.cpu is NaN\. shape\.cpu is a number/],
  ['no cores', { shape: { ...SHAPE, cpu: null } }, /shape\.cpu is null\. shape\.cpu is required/],
  ['memory in a unit that there is not', { shape: { ...SHAPE, memory: '8GB' } }, /shape\.memory: "8GB" is no size of memory.*Ki, Mi, Gi/],
  ['a disk of nothing', { shape: { ...SHAPE, disk: '0' } }, /shape\.disk: "0" is no size of disk.*above zero/],
  ['no shape', { shape: undefined }, /shape is left out\. shape is required, and is an object \{ cpu, disk, memory \}/],
  ['a shape that is a text', { shape: 'large' }, /shape is "large"\. shape is an object/],
  ['a field of a shape that there is not', { shape: { ...SHAPE, gpu: 1 } }, /MacOSInstance has no field "shape\.gpu": there is no such field/],
];

const RIGHT: readonly (readonly [what: string, lease: object, instance: object])[] = [
  ['a lease that is named like a serial', { name: 'c02xl0gyjgh5' }, {}],
  ['a name of 58 characters', { name: 'n'.repeat(58) }, {}],
  ['an image with a port and a digest', {}, { image: `registry.acme.example:5000/macos/sequoia:15.1@${DIGEST}` }],
  ['numbers as texts, which Terraform reads', {}, { shape: { cpu: '4', memory: '8Gi', disk: '100Gi' } }],
  ['booleans as texts, which Terraform reads', { adopt: 'true' }, { running: 'false' }],
  ['bytes as a number, which Terraform writes as a text', {}, { shape: { ...SHAPE, memory: 8_589_934_592 } }],
  ['what is null and may be left out', { serial: null, minimumDuration: null, adopt: null, timeouts: null }, { namespace: null, running: null }],
];

describe.each(LIBRARIES)('input of %s', (name) => {
  const flavour = load(name);
  const { macrack } = flavour;

  function synthesised(lease: object, instance?: object): string[] {
    const stack = stackIn(flavour);
    new macrack.MacNodeLease(stack, 'lease', anything({ name: 'ci', class: 'base', ...lease }));
    if (instance !== undefined) new macrack.MacOSInstance(stack, 'instance', anything({ name: 'vm', lease: 'team-a/ci', image: IMAGE, shape: SHAPE, ...instance }));
    return refusedBySynth(stack);
  }

  it.each(LEASES)('%s: refused in one line, with what is allowed and what to do', (_what, config, refusal) => {
    const lines = synthesised(config);
    expect(reasonsOf(lines)).toEqual(['[stack/lease] InvalidValue']);
    expect(lines[0]).toMatch(refusal);
  });

  it.each(INSTANCES)('%s: refused in one line, with what is allowed and what to do', (_what, config, refusal) => {
    const lines = synthesised({}, config);
    expect(reasonsOf(lines)).toEqual(['[stack/instance] InvalidValue']);
    expect(lines[0]).toMatch(refusal);
  });

  it.each(RIGHT)('%s: taken', (_what, lease, instance) => {
    expect(synthesised(lease, instance)).toEqual([]);
  });

  it('a lease that is handed over as a construct: refused in one line, with what to write', () => {
    const stack = stackIn(flavour);
    const lease = new macrack.MacNodeLease(stack, 'lease', { name: 'ci', class: 'base' });
    new macrack.MacOSInstance(stack, 'instance', anything({ name: 'vm', lease, image: IMAGE, shape: SHAPE, provider: 'macrack' }));
    expect(refusedBySynth(stack)).toEqual([expect.stringMatching(/^\[stack\/instance\] InvalidValue: lease is a MacNodeLease\. lease is a text\. Write an attribute of the construct, such as its id/)]);
  });

  it('a configuration that is left out is one of nothing', () => {
    const stack = stackIn(flavour);
    new macrack.MacNodeLease(stack, 'lease', anything(undefined));
    expect(refusedBySynth(stack)).toEqual([expect.stringMatching(/class is left out/), expect.stringMatching(/name is left out/)]);
  });

  it('an element of a list or of a map that is none is named', () => {
    const stack = stackIn(flavour);
    new macrack.MacrackProvider(stack, 'other', anything({ alias: 'other', configPaths: ['/a', {}], exec: { apiVersion: 'v1', command: 'aws', env: { 'A B': [] } }, token: null }));
    expect(refusedBySynth(stack)).toEqual([
      expect.stringMatching(/^\[stack\/other\] InvalidValue: configPaths\[1\] is \{\}\. configPaths\[1\] is a text/),
      expect.stringMatching(/^\[stack\/other\] InvalidValue: exec\.env\["A B"\] is \[\]\. /),
    ]);
  });

  it('a field of the provider that there is not is named', () => {
    const stack = stackIn(flavour);
    new macrack.MacrackProvider(stack, 'other', anything({ alias: 'other', maxVMs: 3 }));
    expect(refusedBySynth(stack)).toEqual([expect.stringMatching(/^\[stack\/other\] InvalidValue: MacrackProvider has no field "maxVMs"/)]);
  });
});
