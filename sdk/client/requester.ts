import { setTimeout as delay } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { instant, type Instant } from '../rules/instant';
import { PlaneError } from './errors';
import { isReset, timeoutFault } from './network-fault';
import { statusFault } from './status-fault';
import { asPlaneError, type Call, type Transport } from './transport';
import { parseWarnings } from './warning-header';

const MOST_ATTEMPTS = 3;
const RESET_DELAY_MS = 50;

/** Milliseconds until the next attempt; undefined when there is none. */
export function retryDelay(call: Call, error: PlaneError, attempt: number): number | undefined {
  if (call.method !== 'GET' || attempt >= MOST_ATTEMPTS) return undefined;
  if (isReset(error)) return RESET_DELAY_MS * attempt;
  const { code, retryAfterSeconds } = error.detail;
  return (code === 429 || code === 503) && retryAfterSeconds !== undefined ? retryAfterSeconds * 1000 : undefined;
}

/** A successful answer. */
export interface Answer {
  readonly body: unknown;
  /** From its `Date` header. */
  readonly at: Instant | undefined;
}

/** Sends calls with a deadline, retries reads, and tells faults apart. */
export class Requester {
  #newest: Instant | undefined;

  constructor(readonly transport: Transport, readonly timeoutMs: number) {}

  /** Server time of the newest answer of any kind. */
  get newestAnswerAt(): Instant | undefined {
    return this.#newest;
  }

  async request(call: Call, onWarning?: (text: string) => void): Promise<Answer> {
    const deadline = performance.now() + this.timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(call, deadline - performance.now(), onWarning);
      } catch (error) {
        const fault = asPlaneError(error, call, this.transport.endpoint);
        const wait = retryDelay(call, fault, attempt);
        if (wait === undefined || performance.now() + wait >= deadline) throw fault;
        await delay(wait);
      }
    }
  }

  /** Resolves with the open stream of a watch; `signal` ends it. */
  async open(call: Call, signal: AbortSignal): Promise<Dispatcher.ResponseData['body']> {
    const started = this.#withDeadline(call, this.timeoutMs, async (limit) => {
      const response = await this.transport.send(call, AbortSignal.any([signal, limit]));
      this.#note(response);
      if (response.statusCode !== 200) throw await this.#failed(call, response);
      return response.body;
    });
    return started.catch((error: unknown) => {
      throw asPlaneError(error, call, this.transport.endpoint);
    });
  }

  async #attempt(call: Call, leftMs: number, onWarning?: (text: string) => void): Promise<Answer> {
    return this.#withDeadline(call, leftMs, async (signal) => {
      const response = await this.transport.send(call, signal);
      const at = this.#note(response);
      for (const warning of parseWarnings(response.headers.warning)) onWarning?.(warning);
      if (response.statusCode < 200 || response.statusCode > 299) throw await this.#failed(call, response);
      return { body: parseBody(call, await response.body.text()), at };
    });
  }

  async #withDeadline<T>(call: Call, leftMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), Math.max(0, leftMs));
    try {
      return await run(limit.signal);
    } catch (error) {
      throw limit.signal.aborted && !(error instanceof PlaneError) ? timeoutFault({ method: call.method, path: call.path, endpoint: this.transport.endpoint }, this.timeoutMs, error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #failed(call: Call, response: Dispatcher.ResponseData): Promise<PlaneError> {
    const retryAfter = response.headers['retry-after'];
    const text = this.transport.redact(await response.body.text());
    return statusFault({ method: call.method, path: call.path, code: response.statusCode, text, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined });
  }

  #note(response: Dispatcher.ResponseData): Instant | undefined {
    const { date } = response.headers;
    const parsed = typeof date === 'string' ? Date.parse(date) : NaN;
    if (Number.isNaN(parsed)) return undefined;
    this.#newest = instant(parsed);
    return this.#newest;
  }
}

function parseBody(call: Call, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PlaneError({ fault: 'Unexpected', method: call.method, path: call.path }, 'the answer is not JSON: is this the address of a Kubernetes API server?', { cause: error });
  }
}
