import { ServerCredentials } from '@grpc/grpc-js';
import type { ProviderHandlers } from './handlers';
import { selfSignedIdentity } from './protocol/certificate';
import { bind, mutualTls, pluginServer } from './protocol/grpc-server';
import { handshakeLine, readInvitation } from './protocol/handshake';
import { hclog } from './protocol/log';
import { makeSocketPlace } from './protocol/socket';
import { providerService } from './server/provider-service';
import { Session } from './server/session';
import { settleTimer } from './server/settle-timer';

/**
 * Serves `handlers` to the Terraform that started this process, and ends the process with it: on its request, and
 * also when it dies, so that no provider outlives a killed Terraform. SIGINT is ignored, since a terminal sends it to
 * the whole group and Terraform says what to do about it (StopProvider).
 */
export async function serve(handlers: ProviderHandlers): Promise<void> {
  const { clientCertificate } = readInvitation(process.env);
  const session = new Session(handlers, settleTimer, hclog((line) => process.stderr.write(line)));
  process.on('SIGINT', () => session.log('debug', 'SIGINT ignored: Terraform decides what an interrupt means'));
  const socket = makeSocketPlace();
  process.on('exit', () => socket.remove());
  const server = pluginServer(providerService(session), {
    shutdown: () => process.exit(0),
    lost: () => process.exit(1),
  });
  const identity = clientCertificate === undefined ? undefined : await selfSignedIdentity(new Date());
  const credentials = identity && clientCertificate !== undefined ? mutualTls(identity, clientCertificate) : ServerCredentials.createInsecure();
  await bind(server, socket.path, credentials);
  process.stdout.write(`${handshakeLine(socket.path, identity?.certificateDer)}\n`);
}
