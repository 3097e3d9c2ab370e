import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Identity } from './certificate';
import { brokerService, controllerService, stdioService } from './go-plugin';
import type { PeerEvents } from './go-plugin';
import { GO_PLUGIN } from './messages/go-plugin';
import { serviceOf } from './messages/services';
import { TFPLUGIN6 } from './messages/tfplugin6';

/** Terraform sends whole states in one message. */
const UNLIMITED = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };

/** A server of the provider protocol and of what go-plugin needs beside it, not yet bound. */
export function pluginServer(provider: UntypedServiceImplementation, events: PeerEvents): Server {
  const server = new Server(UNLIMITED);
  server.addService(serviceOf(TFPLUGIN6, 'Provider'), provider);
  server.addService(serviceOf(GO_PLUGIN, 'GRPCController'), controllerService(events));
  server.addService(serviceOf(GO_PLUGIN, 'GRPCStdio'), stdioService(events));
  server.addService(serviceOf(GO_PLUGIN, 'GRPCBroker'), brokerService());
  return server;
}

/** Only the holder of the key to `clientCertificate` gets in. */
export function mutualTls(identity: Identity, clientCertificate: string): ServerCredentials {
  const pair = { private_key: Buffer.from(identity.privateKeyPem), cert_chain: Buffer.from(identity.certificatePem) };
  return ServerCredentials.createSsl(Buffer.from(clientCertificate), [pair], true);
}

export async function bind(server: Server, socketPath: string, credentials: ServerCredentials): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socketPath}`, credentials, (error) => (error ? reject(error) : resolve()));
  });
}
