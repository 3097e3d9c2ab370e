import type { PassingRequest } from './passing-request';

interface Written {
  readonly status?: { readonly phase?: string; readonly journal?: readonly { readonly event: string }[]; readonly vmCount?: number; readonly disks?: readonly unknown[] };
  readonly spec?: { readonly taints?: readonly { readonly key: string }[] };
  readonly metadata?: { readonly finalizers?: readonly string[] | null; readonly annotations?: object };
}

function facts({ status, spec, metadata }: Written): (string | undefined)[] {
  return [
    status?.phase,
    status?.journal === undefined ? undefined : `after ${status.journal.at(-1)?.event ?? 'nothing'} with ${status.vmCount} machines and ${status.disks?.length} disks`,
    spec?.taints?.map(({ key }) => key).filter((key) => key.startsWith('macrack.io/')).join(),
    metadata?.finalizers === undefined ? undefined : metadata.finalizers === null || metadata.finalizers.length === 0 ? 'without finalizer' : 'with finalizer',
    metadata?.annotations === undefined ? undefined : Object.entries(metadata.annotations).map(([key, value]) => `${key}${value === '' ? ' empty' : ''}`).join(),
  ];
}

/** What a write does, in words that are the same in every run. */
export function writeLabel({ verb, resource, body }: PassingRequest): string {
  const details = verb === 'patch' ? facts(body as Written).filter((fact) => fact !== undefined && fact !== '') : [];
  return [verb, resource, ...details].join(' ');
}

/** Reports that come by the clock, whatever is done. */
export const isHeartbeat = ({ resource, verb }: PassingRequest): boolean => resource === 'leases' || (resource === 'nodes/status' && verb === 'patch') || resource === 'clocks' || resource.startsWith('macclasses') || resource === 'events';
