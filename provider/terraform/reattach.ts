import { ServerCredentials } from '@grpc/grpc-js';
import type { ProviderHandlers } from './handlers';
import { bind, pluginServer } from './protocol/grpc-server';
import type { Log } from './protocol/log';
import { makeSocketPlace } from './protocol/socket';
import type { SettleTimer } from '../core/in-flight';
import { providerService } from './server/provider-service';
import { Session } from './server/session';
import { settleTimer } from './server/settle-timer';

/** A provider that runs in this process and serves every terraform that is given its environment. */
export interface Attached {
  /** For the environment of terraform or tofu: `TF_REATTACH_PROVIDERS`. */
  readonly environment: { readonly TF_REATTACH_PROVIDERS: string };
  close(): void;
}

export interface AttachOptions {
  /** Default: real time. */
  readonly timer?: SettleTimer;
  /** Default: nothing is logged. */
  readonly log?: Log;
}

/**
 * For tests: no process to start and no TLS. One process then serves every phase and every command, so what is
 * remembered between them must be reset in `configure`; faults across processes stay hidden.
 */
export async function attach(source: string, handlers: ProviderHandlers, options: AttachOptions = {}): Promise<Attached> {
  const session = new Session(handlers, options.timer ?? settleTimer, options.log ?? (() => undefined));
  const socket = makeSocketPlace();
  const staysUp = { shutdown: () => undefined, lost: () => undefined };
  const server = pluginServer(providerService(session), staysUp);
  await bind(server, socket.path, ServerCredentials.createInsecure());
  const config = { [source]: { Protocol: 'grpc', ProtocolVersion: 6, Pid: process.pid, Test: true, Addr: { Network: 'unix', String: socket.path } } };
  return {
    environment: { TF_REATTACH_PROVIDERS: JSON.stringify(config) },
    close: () => {
      server.forceShutdown();
      socket.remove();
    },
  };
}
