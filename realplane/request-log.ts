import { openSync, readSync, closeSync, statSync } from 'node:fs';
import type { RequestObserver, RequestRecord } from '../devplane/server/observer';
import { Kinds } from '../sdk/api/kinds';
import type { ControlPlane } from '../sdk/client/control-plane';
import { until } from '../sdk/client/until';

/** What was asked of a plane, whichever it is. */
export interface RequestLog {
  /** A place in the log, for `since`. */
  mark(): number;
  /** All that was asked after a mark and has been answered. */
  since(mark: number): Promise<readonly RequestRecord[]>;
}

/** Of a development plane: it observes itself. */
export function observedRequests({ records }: RequestObserver): RequestLog {
  return { mark: () => records.length, since: (mark) => Promise.resolve(records.slice(mark)) };
}

interface AuditLine {
  readonly auditID: string;
  readonly stage: 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  readonly verb: RequestRecord['verb'];
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly responseStatus?: { readonly code?: number };
  readonly objectRef?: { readonly resource: string; readonly apiGroup?: string; readonly subresource?: string; readonly namespace?: string; readonly name?: string };
}

const READS = new Set<string>(['get', 'list', 'watch']);

function recordOf({ verb, user, requestURI, responseStatus, objectRef }: AuditLine, sequence: number): RequestRecord | undefined {
  if (objectRef === undefined) return undefined;
  const { resource, apiGroup, subresource, namespace, name } = objectRef;
  const isWrite = !READS.has(verb) && !requestURI.includes('dryRun=');
  return {
    sequence, user: user.username, verb, resource: `${resource}${apiGroup === undefined ? '' : `.${apiGroup}`}${subresource === undefined ? '' : `/${subresource}`}`,
    ...(isWrite && { write: sequence }), ...(namespace !== undefined && { namespace }), ...(name !== undefined && { name }), ...((responseStatus?.code ?? 0) >= 400 && { isRefused: true as const }),
  };
}

function textFrom(file: string, offset: number): string {
  const bytes = Buffer.alloc(Math.max(0, statSync(file).size - offset));
  const descriptor = openSync(file, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Of a real plane, by the API server's own audit. A line is written after its answer, so that one request more is made, and waited for: what was
 * answered before it stands before it.
 */
export function auditedRequests(file: string, admin: ControlPlane): RequestLog {
  const answered = (from: number): AuditLine[] => textFrom(file, from).split('\n').slice(0, -1).map((line) => JSON.parse(line) as AuditLine);
  let markers = 0;
  return {
    mark: () => statSync(file).size,
    since: async (mark) => {
      const name = `marker-${++markers}`;
      await admin.tryGet(Kinds.Namespace, { name });
      const lines = await until('the API server has recorded what was asked', () => {
        const found = answered(mark);
        const last = found.findIndex(({ objectRef }) => objectRef?.name === name);
        return Promise.resolve(last < 0 ? undefined : found.slice(0, last));
      });
      const counted = lines.filter(({ stage, verb }) => stage === (verb === 'watch' ? 'ResponseStarted' : 'ResponseComplete'));
      return counted.map(recordOf).filter((record) => record !== undefined);
    },
  };
}
