import { inNamespace } from './paths';
import type { Request } from './request';
import type { Scene } from './scene';

interface Resource { name: string; namespaced: boolean; verbs: string[] }
export interface Read { readonly path: string; readonly code: number; readonly text: string }

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PLAIN = ['/version', '/healthz?verbose', '/livez?verbose', '/readyz?verbose', '/metrics', '/metrics/slis', '/logs/', '/configz', '/debug/pprof/', '/flagz', '/statusz', '/openapi/v2', '/openapi/v3', '/.well-known/openid-configuration'];

async function read(scene: Scene, user: string, path: string, accept?: string): Promise<Read> {
  const { code, text } = await scene.send(user, { path, ...(accept !== undefined && { accept }) });
  return { path, code, text };
}

/** Paths of all groups and versions that are served. */
async function groupVersions(scene: Scene, user: string): Promise<string[]> {
  const { object } = await scene.pass(user, { path: '/apis' });
  const { groups } = object as unknown as { groups: { versions: { groupVersion: string }[] }[] };
  return ['/api/v1', ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`))];
}

/** What can be listed, cluster-wide and in some namespaces. */
async function lists(scene: Scene, user: string, groupVersion: string, namespaces: readonly string[]): Promise<string[]> {
  const { object } = await scene.pass(user, { path: groupVersion });
  const { resources } = object as unknown as { resources: Resource[] };
  return resources.filter(({ verbs }) => verbs.includes('list')).flatMap(({ name, namespaced }) => [
    `${groupVersion}/${name}`, ...(namespaced ? namespaces.map((namespace) => `${groupVersion}/namespaces/${namespace}/${name}`) : []),
  ]);
}

async function openApi(scene: Scene, user: string): Promise<string[]> {
  const { object } = await scene.pass(user, { path: '/openapi/v3' });
  const { paths } = object as unknown as { paths: Record<string, { serverRelativeURL: string }> };
  return Object.values(paths).map(({ serverRelativeURL }) => serverRelativeURL).filter((path) => path.includes('macrack') || path.includes('/api/v1?'));
}

const reviews = (namespace: string): Request[] => [
  { path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } } },
  { path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' } },
];

/** Every answer that the API server has for a user who looks everywhere: refusals too, since they speak as well. */
export async function readEverything(scene: Scene, user: string, namespace: string, others: readonly string[]): Promise<Read[]> {
  const versions = await groupVersions(scene, user);
  const listed = (await Promise.all(versions.map((version) => lists(scene, user, version, [namespace, ...others])))).flat();
  const events = inNamespace(namespace, 'events');
  const paths = [...PLAIN, ...versions, '/apis', '/api', ...await openApi(scene, user), ...listed, `${events}?watch=true&timeoutSeconds=1`];
  const answers: Read[] = [];
  for (const path of paths) answers.push(await read(scene, user, path));
  for (const path of listed) answers.push(await read(scene, user, path, TABLE));
  for (const request of reviews(namespace)) {
    const { code, text } = await scene.send(user, request);
    answers.push({ path: request.path, code, text });
  }
  return answers;
}
