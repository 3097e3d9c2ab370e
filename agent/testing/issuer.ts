import { createHash, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { Kinds, type CertificateSigningRequest } from '../../sdk/api';
import type { ControlPlane, Watching } from '../../sdk/client';
import type { Leaf, TestAuthority } from './authority';

const HOUR_MS = 3_600_000;

/** Approver and signer in one, for planes in memory: what a cluster's operator and controller manager do between them. */
export class Issuer {
  /** Fingerprints of the keys that certificates were issued for, by the purpose in the request's name. */
  readonly keys = new Map<string, Set<string>>();
  /** What the next certificates are like. */
  leaf: Leaf = {};
  /** Milliseconds by which the clock of the test is ahead of that of the machine. */
  aheadMs = 0;
  /** Why requests are denied; undefined to approve. */
  denial: string | undefined;
  /** Requests wait. */
  isAway = false;
  readonly #watching: Watching;
  #work: Promise<void> = Promise.resolve();

  constructor(private readonly plane: ControlPlane, private readonly authority: TestAuthority) {
    this.#watching = plane.watch(Kinds.CertificateSigningRequest, {}, {
      onSync: (all) => all.forEach((csr) => this.#take(csr)),
      onChange: (_type, csr) => this.#take(csr),
    });
  }

  stop(): void {
    this.#watching.stop();
  }

  #take(csr: CertificateSigningRequest): void {
    if (csr.status?.conditions === undefined && !this.isAway) this.#work = this.#work.then(() => this.#answer(csr));
  }

  async #answer({ metadata: { name }, spec }: CertificateSigningRequest): Promise<void> {
    const isDenied = this.denial !== undefined;
    const condition = { type: isDenied ? 'Denied' : 'Approved', status: 'True' as const, reason: isDenied ? 'EnrolmentUsed' : 'MacEnrolled', message: this.denial ?? 'yes' };
    const certificate = isDenied ? undefined : Buffer.from(await this.#sign(name, spec)).toString('base64');
    await this.plane.patch(Kinds.CertificateSigningRequest, { name }, { status: { conditions: [condition], ...(certificate && { certificate }) } }, { subresource: 'status' });
  }

  async #sign(name: string, { request, signerName }: CertificateSigningRequest['spec']): Promise<string> {
    const pem = Buffer.from(request, 'base64').toString('utf8');
    x509.cryptoProvider.set(webcrypto);
    const purpose = name.split('.')[1] ?? '';
    const key = createHash('sha256').update(Buffer.from(new x509.Pkcs10CertificateRequest(pem).publicKey.rawData)).digest('hex');
    this.keys.set(purpose, (this.keys.get(purpose) ?? new Set()).add(key));
    const { fromMs = -HOUR_MS, untilMs = 24 * HOUR_MS } = this.leaf;
    return this.authority.sign(pem, { usage: signerName.endsWith('serving') ? 'server' : 'client', fromMs: fromMs + this.aheadMs, untilMs: untilMs + this.aheadMs });
  }
}
