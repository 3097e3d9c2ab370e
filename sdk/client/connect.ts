import { checkOptions } from './check-options';
import { resolveAccess } from './cluster-access';
import { ConnectionError, type ConnectOptions } from './connect-options';
import type { ConnectedPlane } from './control-plane';
import { checkServer, checkTls, credentialFault, readCredentials, type Credentials } from './credentials';
import { KubernetesPlane } from './kubernetes-plane';
import { Requester } from './requester';
import { Transport } from './transport';

const TIMEOUT_MS = 30_000;

// undici 8, which client-node 2 needs, fails while it loads on an older Node, with a message that tells nothing.
function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 19)) throw new ConnectionError(`the client of MacRack needs Node 22.19 or later, and this is Node ${version}: put a newer one first on PATH`);
}

async function firstCredentials(read: () => Promise<Credentials>): Promise<Credentials> {
  const credentials = await read().catch((error: unknown) => {
    const { message, cause } = credentialFault(error);
    throw new ConnectionError(message, undefined, { cause });
  });
  checkTls(credentials.tls);
  return credentials;
}

/**
 * Prepares the way to an API server; no request is made yet. Rejects with ConnectionError when the options do not lead to one.
 * client-node and undici are loaded here, not with this module: they cost a third of a second.
 */
export async function connect(options: ConnectOptions = {}): Promise<ConnectedPlane> {
  checkNode(process.versions.node);
  checkOptions(options);
  const [{ KubeConfig }, { Agent }] = await Promise.all([import('@kubernetes/client-node'), import('undici')]);
  const config = await resolveAccess(() => new KubeConfig(), options);
  const server = checkServer(config);
  const read = (): Promise<Credentials> => readCredentials(config);
  const transport = new Transport((agentOptions) => new Agent(agentOptions), server, await firstCredentials(read), read);
  const namespace = config.getContextObject(config.getCurrentContext())?.namespace ?? 'default';
  return new KubernetesPlane(new Requester(transport, options.timeoutMs ?? TIMEOUT_MS), namespace, options.watch ?? {});
}
