import { Kinds } from '../../sdk/api';
import type { KubeObject } from '../../sdk/api/object';
import { type ControlPlane, PlaneError } from '../../sdk/client';
import { ADMIN, OPERATOR } from '../../realplane/identities';
import type { Side } from './planes';
import { AGENT, PROBES, TENANT } from './probes';

export interface Answers {
  readonly outcomes: ReadonlyMap<string, string>;
  readonly state: unknown;
}

/** The code and reason of an answer, and the policy that gave it. */
function outcomeOf(error: unknown): string {
  if (!(error instanceof PlaneError)) throw error;
  const policy = /ValidatingAdmissionPolicy '([^']+)'/.exec(error.said)?.[1];
  return [error.detail.code, error.detail.reason, ...(policy === undefined ? [] : [policy])].join(' ');
}

const shown = ({ kind, metadata, spec, status }: KubeObject): object =>
  ({ kind, name: metadata.name, finalizers: metadata.finalizers, isGoing: metadata.deletionTimestamp !== undefined, spec, status });

/** Asks every probe in its order, through the client that every part of the project uses. */
export async function askAll(side: Side): Promise<Answers> {
  const clients = new Map<string, ControlPlane>();
  for (const user of [TENANT, OPERATOR, ADMIN, AGENT]) clients.set(user, await side.connectAs(user));
  const as = (user: string): ControlPlane => clients.get(user) as ControlPlane;
  const outcomes = new Map<string, string>();
  for (const { name, ask } of PROBES) outcomes.set(name, await ask(as).then(() => 'done', outcomeOf));
  const ours = [Kinds.MacNodeLease, Kinds.MacOSInstance].map((kind) => as(ADMIN).list<KubeObject>(kind, { namespace: TENANT }));
  const state = (await Promise.all(ours)).flatMap(({ items }) => items.map(shown));
  for (const client of clients.values()) client.close();
  return { outcomes, state };
}
