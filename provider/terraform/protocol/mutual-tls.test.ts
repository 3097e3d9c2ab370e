import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Server, ServiceClientConstructor, ServiceError } from '@grpc/grpc-js';
import { credentials, makeGenericClientConstructor } from '@grpc/grpc-js';
import { X509Certificate } from 'node:crypto';
import type { Identity } from './certificate';
import { selfSignedIdentity } from './certificate';
import { bind, mutualTls, pluginServer } from './grpc-server';
import { serviceOf } from './messages/services';
import { TFPLUGIN6 } from './messages/tfplugin6';
import type { SocketPlace } from './socket';
import { makeSocketPlace } from './socket';

const NOW = new Date();

describe('mutual TLS', () => {
  let terraform: Identity;
  let provider: Identity;
  let server: Server;
  let socket: SocketPlace;
  const Client: ServiceClientConstructor = makeGenericClientConstructor(serviceOf(TFPLUGIN6, 'Provider'), 'Provider');

  beforeAll(async () => {
    terraform = await selfSignedIdentity(NOW);
    provider = await selfSignedIdentity(NOW);
    socket = makeSocketPlace();
    server = pluginServer(
      { GetFunctions: (_call: unknown, reply: (error: null, answer: object) => void) => reply(null, { diagnostics: [] }) },
      { shutdown: () => undefined, lost: () => undefined },
    );
    await bind(server, socket.path, mutualTls(provider, terraform.certificatePem));
  });
  afterAll(() => {
    server.forceShutdown();
    socket.remove();
  });

  async function callAs(client: Identity | undefined, trusted: Identity): Promise<object> {
    const pem = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
    const channel = credentials.createSsl(Buffer.from(trusted.certificatePem), pem(client?.privateKeyPem), pem(client?.certificatePem));
    const stub = new Client(`unix:${socket.path}`, channel, { 'grpc.ssl_target_name_override': 'localhost' });
    try {
      return await new Promise<object>((resolve, reject) => {
        const getFunctions = stub['GetFunctions'] as (request: object, done: (error: ServiceError | null, answer: object) => void) => void;
        getFunctions.call(stub, {}, (error, answer) => (error ? reject(error) : resolve(answer)));
      });
    } finally {
      stub.close();
    }
  }

  it('lets Terraform in', async () => {
    await expect(callAs(terraform, provider)).resolves.toEqual({ diagnostics: [], functions: {} });
  });

  it('keeps out a client without a certificate', async () => {
    await expect(callAs(undefined, provider)).rejects.toThrow(/UNAVAILABLE/);
  });

  it('keeps out a client with another certificate', async () => {
    await expect(callAs(await selfSignedIdentity(NOW), provider)).rejects.toThrow(/UNAVAILABLE/);
  });

  it('shows a certificate that nobody else can show', async () => {
    await expect(callAs(terraform, terraform)).rejects.toThrow(/UNAVAILABLE/);
  });

  it('uses a certificate for localhost that is its own authority', () => {
    const certificate = new X509Certificate(provider.certificatePem);
    expect(certificate.subjectAltName).toBe('DNS:localhost');
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.raw.equals(provider.certificateDer)).toBe(true);
  });
});
