/** What Terraform says to a provider that it starts, read from the environment. */
export interface Invitation {
  /** Terraform's own certificate, PEM; absent when it does not ask for TLS. */
  readonly clientCertificate: string | undefined;
}

const COOKIE_NAME = 'TF_PLUGIN_MAGIC_COOKIE';
const COOKIE = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';
const CORE_PROTOCOL = 1;
const PROTOCOL = 6;

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether terraform or tofu started this process; people who start it by hand have no cookie. */
export function isInvited(environment: Environment): boolean {
  return environment[COOKIE_NAME] === COOKIE;
}

/** Throws when Terraform speaks no protocol that this provider speaks. */
export function readInvitation(environment: Environment): Invitation {
  const offered = environment['PLUGIN_PROTOCOL_VERSIONS'] ?? String(PROTOCOL);
  const versions = new Set(offered.split(',').map((version) => Number(version)));
  if (!versions.has(PROTOCOL)) {
    throw new Error(`MacRack speaks provider protocol ${PROTOCOL}, and this Terraform only ${offered}: use terraform 1.0 or later, or tofu`);
  }
  return { clientCertificate: environment['PLUGIN_CLIENT_CERT'] || undefined };
}

/** The one line on stdout that tells Terraform where to connect. `certificate` is DER, absent without TLS. */
export function handshakeLine(socketPath: string, certificate: Uint8Array | undefined): string {
  const unpadded = Buffer.from(certificate ?? []).toString('base64').replace(/=+$/, '');
  return [CORE_PROTOCOL, PROTOCOL, 'unix', socketPath, 'grpc', unpadded].join('|');
}
