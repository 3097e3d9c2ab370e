import { createRequire } from 'node:module';
import type { EngineClient as Client } from '@pulumi/pulumi/proto/engine_grpc_pb';
import type { LogRequest } from '@pulumi/pulumi/proto/engine_pb';

// Loaded as the package @pulumi/pulumi itself would load them: a second copy of grpc-js does not accept its credentials.
const own = createRequire(__filename);
const theirs = (): NodeJS.Require => createRequire(own.resolve('@pulumi/pulumi'));

/** Opens a client of the engine that listens at `address` on the loopback interface. */
export function engineClient(address: string): Client {
  const { EngineClient } = own('@pulumi/pulumi/proto/engine_grpc_pb') as { EngineClient: new (address: string, credentials: unknown) => Client };
  const { credentials } = theirs()('@grpc/grpc-js') as { credentials: { createInsecure(): unknown } };
  return new EngineClient(address, credentials.createInsecure());
}

/** A new message for the engine's log. */
export function logRequest(): LogRequest {
  const { LogRequest: Request } = own('@pulumi/pulumi/proto/engine_pb') as { LogRequest: new () => LogRequest };
  return new Request();
}
