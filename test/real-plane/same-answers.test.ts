import { join } from 'node:path';
import { readManifests } from '../../devplane/manifests';
import { startPlane } from '../../devplane/plane';
import { Kinds } from '../../sdk/api';
import { connect, PlaneError, type ControlPlane } from '../../sdk/client';
import type { KubeObject } from '../../sdk/api/object';
import { describeRealPlane } from '../harness/real-plane-suite';
import { ADMIN, groupsOf, OPERATOR } from '../../realplane/identities';
import { deployDirectory } from '../../devplane/package-files';
import { startRealPlane } from '../../realplane/real-plane';
import { makeTenants, tenantObjects } from '../../realplane/tenants';
import { AGENT, PROBES, TENANT } from './probes';

jest.setTimeout(150_000);

const USERS = [TENANT, OPERATOR, ADMIN, AGENT];
const TENANTS = [TENANT, 'tenant-b'];

/** The code and reason of an answer, and the policy that gave it. */
function outcomeOf(error: unknown): string {
  if (!(error instanceof PlaneError)) throw error;
  const policy = /ValidatingAdmissionPolicy '([^']+)'/.exec(error.said)?.[1];
  return [error.detail.code, error.detail.reason, ...(policy === undefined ? [] : [policy])].join(' ');
}

interface Answers {
  readonly outcomes: ReadonlyMap<string, string>;
  readonly state: unknown;
}

const shown = ({ kind, metadata, spec, status }: KubeObject): object =>
  ({ kind, name: metadata.name, finalizers: metadata.finalizers, isGoing: metadata.deletionTimestamp !== undefined, spec, status });

async function askAll(connectAs: (user: string) => Promise<ControlPlane>): Promise<Answers> {
  const clients = new Map<string, ControlPlane>();
  for (const user of USERS) clients.set(user, await connectAs(user));
  const as = (user: string): ControlPlane => clients.get(user) as ControlPlane;
  const outcomes = new Map<string, string>();
  for (const { name, ask } of PROBES) outcomes.set(name, await ask(as).then(() => 'done', outcomeOf));
  const ours = [Kinds.MacNodeLease, Kinds.MacOSInstance, Kinds.MacNodeBinding, Kinds.MacNode] as const;
  const lists = await Promise.all(ours.map(async (kind) => (await as(ADMIN).list<KubeObject>(kind)).items.map(shown)));
  for (const client of clients.values()) client.close();
  return { outcomes, state: lists.flat() };
}

async function askReal(): Promise<Answers> {
  const plane = await startRealPlane();
  await makeTenants(plane, TENANTS);
  return askAll((user) => plane.connectAs(user)).finally(() => plane.stop());
}

async function askDevelopment(): Promise<Answers> {
  const from = (folder: string): string => join(deployDirectory(), folder);
  const plane = await startPlane({
    crds: from('crds'), rbac: from('rbac'), policies: [from('policies'), from('clock-policy')], log: () => undefined,
    users: USERS.filter((user) => user !== ADMIN).map((name) => ({ name, groups: [...groupsOf(name)] })), objects: [...readManifests(from('classes')), ...tenantObjects(TENANTS)],
  });
  return askAll((user) => connect({ host: plane.url, clusterCaCertificate: plane.ca, token: plane.token(user), env: {} })).finally(() => plane.stop());
}

// The real plane is the judge. A difference is written down with its reason, and is taken out again when it is gone.
describeRealPlane('the development plane beside Kubernetes 1.37', () => {
  let real: Answers;
  let development: Answers;
  beforeAll(async () => {
    [real, development] = [await askReal(), await askDevelopment()];
  });

  it.each(PROBES.filter(({ differs }) => differs === undefined).map(({ name }) => name))('answers alike: %s', (name) => {
    expect(development.outcomes.get(name)).toBe(real.outcomes.get(name));
  });

  it.each(PROBES.flatMap(({ name, differs }) => (differs === undefined ? [] : [[name, differs]])))('answers otherwise: %s (%s)', (name) => {
    expect(development.outcomes.get(name)).not.toBe(real.outcomes.get(name));
  });

  it('is left with the same objects of ours', () => {
    expect(development.state).toEqual(real.state);
  });
});
