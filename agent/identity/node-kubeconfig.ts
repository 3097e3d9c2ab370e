import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

const kubeconfigSchema = z.object({
  'current-context': z.string(),
  contexts: z.array(z.object({ name: z.string(), context: z.object({ cluster: z.string() }) })),
  clusters: z.array(z.object({ name: z.string(), cluster: z.object({ server: z.string(), 'certificate-authority-data': z.string().optional(), 'certificate-authority': z.string().optional() }) })),
});

/** A cluster, as a kubeconfig names it. */
export interface Cluster {
  readonly server: string;
  /** PEM of its authority. */
  readonly ca: string;
}

/** The cluster of the current context of a kubeconfig. @throws Error that names the file, and never quotes it: it holds a token */
export function readCluster(path: string): Cluster {
  const found = kubeconfigSchema.safeParse(parseFile(path));
  if (!found.success) throw new Error(`${path} is not a kubeconfig with clusters, contexts and a current-context`);
  const { data } = found;
  const context = data.contexts.find(({ name }) => name === data['current-context'])?.context;
  const cluster = data.clusters.find(({ name }) => name === context?.cluster)?.cluster;
  if (cluster === undefined) throw new Error(`${path}: its current context names no cluster that the file has`);
  return { server: cluster.server, ca: authorityOf(path, cluster['certificate-authority-data'], cluster['certificate-authority']) };
}

function parseFile(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function authorityOf(path: string, data: string | undefined, file: string | undefined): string {
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  if (file !== undefined) return readFileSync(resolve(dirname(path), file), 'utf8');
  throw new Error(`${path} names no certificate-authority: an agent trusts no server without one`);
}

/** A kubeconfig (YAML) whose certificate and key are the file at `pairPath`, read anew whenever it is used. */
export function nodeKubeconfig({ server, ca }: Cluster, user: string, pairPath: string): string {
  return stringify({
    apiVersion: 'v1', kind: 'Config', 'current-context': user,
    clusters: [{ name: 'cluster', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name: user, user: { 'client-certificate': pairPath, 'client-key': pairPath } }],
    contexts: [{ name: user, context: { cluster: 'cluster', user } }],
  });
}
