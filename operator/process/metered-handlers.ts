import type { AdmissionRequest, AdmissionResponse } from '../admission/review';
import type { AdmissionHandlers } from '../admission/server';
import type { OperatorMetrics } from './metrics/metrics';
import { countDenial } from './metrics/refusals';

type Webhook = keyof AdmissionHandlers;

/** The webhooks, with each answer timed and each refusal counted; a dry run refuses nothing. */
export function meteredHandlers(inner: AdmissionHandlers, metrics: OperatorMetrics): AdmissionHandlers {
  const note = (webhook: Webhook, start: number, request: AdmissionRequest, response: AdmissionResponse): AdmissionResponse => {
    metrics.answered(webhook, response.allowed, (performance.now() - start) / 1000);
    if (request.dryRun !== true) countDenial(response, metrics.refused);
    return response;
  };
  return {
    mutate: (request) => note('mutate', performance.now(), request, inner.mutate(request)),
    validate: async (request) => {
      const start = performance.now();
      return note('validate', start, request, await inner.validate(request));
    },
  };
}
