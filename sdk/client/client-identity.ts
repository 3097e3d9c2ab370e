import { readFileSync } from 'node:fs';
import type { Cluster, User } from '@kubernetes/client-node';
import type { AgentCredentials } from './agent-client';
import { checkOptions } from './check-options';
import { resolveAccess } from './cluster-access';
import { ConnectionError, type ConnectOptions } from './connect-options';

function pem(data: string | undefined, file: string | undefined): string | undefined {
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

function read(user: User | null, cluster: Cluster | null): AgentCredentials {
  const [certificate, key] = [pem(user?.certData, user?.certFile), pem(user?.keyData, user?.keyFile)];
  const ca = pem(cluster?.caData, cluster?.caFile);
  if (certificate === undefined || key === undefined) throw new ConnectionError('the kubeconfig holds no client certificate, and the agents of the Macs ask for one', 'client_certificate');
  if (ca === undefined) throw new ConnectionError('the kubeconfig names no certificate authority, and with it the agents of the Macs are known', 'cluster_ca_certificate');
  return { certificate, key, ca };
}

/**
 * The client certificate with which the API server is asked, for asking the agents of the Macs too. The answer reads files anew at each call, so that
 * renewed certificates are used. Rejects with ConnectionError where the options lead to no certificate.
 */
export async function clientIdentity(options: ConnectOptions): Promise<() => AgentCredentials> {
  checkOptions(options);
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = await resolveAccess(() => new KubeConfig(), options);
  const identity = (): AgentCredentials => read(config.getCurrentUser(), config.getCurrentCluster());
  identity();
  return identity;
}
