import type { StatusCondition } from '../../../sdk/api';
import { formatInstant, type Instant } from '../../../sdk/rules/instant';

type News = Pick<StatusCondition, 'type' | 'status' | 'reason' | 'message'>;

/** The conditions with one set; its transition time moves only when its status does. */
export function withCondition(conditions: readonly StatusCondition[] | undefined, news: News, now: Instant): StatusCondition[] {
  const old = conditions?.find((c) => c.type === news.type);
  const lastTransitionTime = old?.status === news.status ? old.lastTransitionTime : formatInstant(now);
  return [...(conditions ?? []).filter((c) => c.type !== news.type), { ...news, lastTransitionTime }];
}
