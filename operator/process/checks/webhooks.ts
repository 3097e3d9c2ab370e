import type { ServingCertificates } from '../../admission/certificates/serving';
import type { Check } from './check';
import { bad, Fault, GOOD, type Finding } from './finding';

/** The webhooks of this replica: undefined while they do not listen, with the reason. */
export interface WebhookState { readonly certificates: ServingCertificates | undefined; readonly why: string }

const EXPIRED = 'API servers do not call a webhook with it, so nothing that the webhooks guard can be created or changed; running machines stay.';

/** By the clock of this host, as TLS judges. */
export function judgeCertificate({ current, authorityNotAfter }: Pick<ServingCertificates, 'current' | 'authorityNotAfter'>, now: number): Finding {
  const at = (time: number): string => new Date(time).toISOString();
  if (now >= authorityNotAfter) return bad(Fault.WebhookCertificateExpired, `the webhooks' CA expired at ${at(authorityNotAfter)}. ${EXPIRED} Make a new one, and put it into the webhook configurations.`);
  if (now >= current.notAfter) return bad(Fault.WebhookCertificateExpired, `the webhooks' certificate expired at ${at(current.notAfter)} and was not renewed. ${EXPIRED}`);
  return GOOD;
}

export function webhookCheck(state: () => WebhookState): Check {
  return {
    name: 'webhooks', halts: true, everyMs: 5_000,
    look: () => {
      const { certificates, why } = state();
      return Promise.resolve(certificates === undefined ? bad(Fault.WebhooksDown, `the webhooks do not listen: ${why}`) : judgeCertificate(certificates, Date.now()));
    },
  };
}
