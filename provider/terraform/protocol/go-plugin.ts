import type { ServerDuplexStream, ServerWritableStream, UntypedServiceImplementation, sendUnaryData } from '@grpc/grpc-js';

/** What the process does when the peer that started it ends the connection. */
export interface PeerEvents {
  /** The peer asked for an orderly end, and has been answered. */
  shutdown(): void;
  /** The connection broke: the peer has died. */
  lost(): void;
}

/** Terraform asks the process to end: it is answered first, or Terraform logs a broken connection. */
export function controllerService(events: PeerEvents): UntypedServiceImplementation {
  return {
    Shutdown: (_call: unknown, reply: sendUnaryData<object>) => {
      reply(null, {});
      setImmediate(() => events.shutdown());
    },
  };
}

/**
 * Carries the output of a provider to Terraform. Ours goes to stderr directly, so nothing is ever sent; the open
 * stream is how a provider learns that a killed Terraform is gone.
 */
export function stdioService(events: PeerEvents): UntypedServiceImplementation {
  return {
    StreamStdio: (call: ServerWritableStream<object, object>) => void call.on('cancelled', () => events.lost()),
  };
}

/** Opens further connections between the two, of which there are none; the stream stays open until Terraform ends it. */
export function brokerService(): UntypedServiceImplementation {
  return {
    StartStream: (call: ServerDuplexStream<object, object>) => void call.on('data', () => undefined).on('end', () => call.end()),
  };
}
