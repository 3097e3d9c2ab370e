import { isAbsolute } from 'node:path';
import { NAME_PATTERN } from '../../sdk/api/names';
import { fileParts, type Form, KUBERNETES, type KubernetesVersion, objectParts, type Part, PARTS } from './parts';

/** As commander hands them over. */
export interface ManifestArguments {
  readonly tamperProof?: boolean;
  readonly api?: boolean;
  readonly part?: readonly string[];
  readonly out?: string;
  readonly kubernetes?: string;
  readonly webhookCa?: string;
  readonly webhookUrl?: string;
  readonly admissionDir: string;
  readonly image?: string;
  readonly tenant?: string;
  readonly leases?: string;
}

/** What is asked for, checked. */
export interface ManifestRequest {
  readonly form: Form;
  /** To be printed, in the order of their application. */
  readonly objects: readonly Part[];
  /** To be written below `out`. */
  readonly files: readonly Part[];
  readonly out?: string;
  /** Path of a PEM file. */
  readonly webhookCa?: string;
  /** `https://host:port` */
  readonly webhookOrigin?: string;
  /** Where the API server will find the files. */
  readonly admissionDir: string;
  readonly image?: string;
  readonly tenant?: { readonly namespace: string; readonly leases?: number };
}

const MOST_LEASES = 10_000;

const some = <T extends object>(value: T | undefined): T | object => value ?? {};

function formOf({ tamperProof = false, api = false }: ManifestArguments): Form {
  if (tamperProof && api) throw new RangeError('--tamper-proof and --api exclude each other: the rules are held by files or by objects of the API');
  return api ? 'api' : 'tamper-proof';
}

function versionOf(text: string | undefined, form: Form): KubernetesVersion {
  const version = KUBERNETES.find((known) => known === (text ?? '1.37'));
  if (version === undefined) throw new RangeError(`--kubernetes takes ${KUBERNETES.join(', ')}, not ${JSON.stringify(text)}`);
  if (form === 'tamper-proof' && version !== '1.37') throw new RangeError(`Kubernetes ${version} reads no policies from files: there the rules are objects of the API (--api), and nothing holds them against a cluster administrator`);
  return version;
}

function partsOf(names: readonly string[] | undefined): readonly Part[] | undefined {
  return names?.map((name) => {
    const part = PARTS.find((known) => known === name);
    if (part === undefined) throw new RangeError(`--part takes ${PARTS.join(', ')}, not ${JSON.stringify(name)}`);
    return part;
  });
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search !== '' || url.username !== '') throw new RangeError(`--webhook-url takes https://<host>:<port>, not ${JSON.stringify(text)}`);
  return url.port === '' ? `${url.origin}:443` : url.origin;
}

const isOfCluster = (namespace: string): boolean => namespace.startsWith('kube-') || namespace === 'default' || namespace === 'macrack-system';

function tenantOf({ tenant, leases }: ManifestArguments): ManifestRequest['tenant'] {
  if (tenant === undefined && leases !== undefined) throw new RangeError('--leases is the quota of a tenant: name the tenant with --tenant');
  if (tenant === undefined) return undefined;
  if (!NAME_PATTERN.test(tenant)) throw new RangeError(`--tenant takes the name of a namespace, not ${JSON.stringify(tenant)}`);
  if (isOfCluster(tenant)) throw new RangeError(`--tenant ${tenant} is a namespace of the cluster itself: whoever may write there could be more than a tenant. Give each tenant a namespace of its own`);
  if (leases === undefined) return { namespace: tenant };
  const count = /^\d+$/.test(leases) ? Number(leases) : NaN;
  if (!(count <= MOST_LEASES)) throw new RangeError(`--leases takes a whole number from 0 to ${MOST_LEASES}, not ${JSON.stringify(leases)}`);
  return { namespace: tenant, leases: count };
}

interface Chosen { readonly objects: readonly Part[]; readonly files: readonly Part[] }

/** A tenant's objects are asked for by themselves: without `--part`, they are all that is printed. */
function chosenOf(args: ManifestArguments, form: Form, version: KubernetesVersion): Chosen {
  const [objects, files] = [objectParts(form, version), fileParts(form)];
  const asked = partsOf(args.part);
  if (asked === undefined) return args.tenant === undefined ? { objects, files: args.out === undefined ? [] : files } : { objects: [], files: [] };
  for (const part of asked) {
    if (files.includes(part) && args.out === undefined) throw new RangeError(`part ${part} is files for the control-plane hosts: say with --out DIR where to write them`);
    if (!objects.includes(part) && !files.includes(part)) throw new RangeError(form === 'api' && part === 'mutating-policies' ? 'MutatingAdmissionPolicy is v1 from Kubernetes 1.36 on: below, there is no part mutating-policies' : `there is no part ${part} with --api: it configures the files of control-plane hosts`);
  }
  return { objects: objects.filter((part) => asked.includes(part)), files: files.filter((part) => asked.includes(part)) };
}

/** What a command line asks for. @throws RangeError with a sentence for its user; nothing has been read or written then */
export function requestOf(args: ManifestArguments): ManifestRequest {
  const form = formOf(args);
  const version = versionOf(args.kubernetes, form);
  const { objects, files } = chosenOf(args, form, version);
  const webhookOrigin = args.webhookUrl === undefined ? undefined : originOf(args.webhookUrl);
  const tenant = tenantOf(args);
  if (form === 'api' && args.out !== undefined) throw new RangeError('--out is for the files of control-plane hosts: with --api everything is printed');
  if (files.length === 0 && args.out !== undefined) throw new RangeError('--out is for the files of control-plane hosts, and none of the parts asked for is such files');
  if ([...objects, ...files].includes('webhooks')) {
    if (args.webhookCa === undefined) throw new RangeError('the webhooks need --webhook-ca, the certificate of the CA by which API servers know the operator: `macrack manifests webhook-ca` makes one');
    if (form === 'tamper-proof' && webhookOrigin === undefined) throw new RangeError('the webhooks need --webhook-url, where the API servers reach the operator: https://<host>:<port>');
  }
  if (form === 'api' && webhookOrigin !== undefined) throw new RangeError('--webhook-url is for the files of control-plane hosts: with --api the webhooks are reached through Service macrack-operator');
  if (!isAbsolute(args.admissionDir)) throw new RangeError(`--admission-dir takes an absolute path on the control-plane hosts, not ${JSON.stringify(args.admissionDir)}`);
  return {
    form, objects, files, admissionDir: args.admissionDir,
    ...some(args.out === undefined ? undefined : { out: args.out }), ...some(args.webhookCa === undefined ? undefined : { webhookCa: args.webhookCa }),
    ...some(webhookOrigin === undefined ? undefined : { webhookOrigin }), ...some(args.image === undefined ? undefined : { image: args.image }), ...some(tenant === undefined ? undefined : { tenant }),
  };
}
