import type { Clock } from '../clock';
import { formatSecond } from '../clock';
import type { Json, JsonObject } from '../json';
import { textAt } from '../json';
import type { User } from './user';
import { badRequest, StatusError } from './status-error';

export const clockPath = '/macrack.dev/clock';

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };

function milliseconds(text: string): number {
  const match = /^(\d+)([smh])$/.exec(text);
  const unit = units[match?.[2] ?? ''];
  if (!match || unit === undefined) throw badRequest(`advance must be a whole number of s, m or h, for example {"advance": "24h"}; got ${JSON.stringify(text)}`);
  return Number(match[1]) * unit;
}

/** `GET` reads the plane's clock, `POST {"advance": "24h"}` moves it forward: for administrators, and on no other plane. */
export function turnClock(clock: Clock, user: User, method: string, body: Json | undefined): JsonObject {
  if (!user.groups.includes('system:masters')) throw new StatusError(403, 'Forbidden', `the clock of the development plane is for group system:masters: User "${user.name}" is not a member`);
  if (method === 'POST') clock.advance(milliseconds(textAt(body, 'advance')));
  else if (method !== 'GET') throw new StatusError(405, 'MethodNotAllowed', 'the clock answers GET and POST');
  return { now: formatSecond(clock.now()) };
}
