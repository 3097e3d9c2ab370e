import { API_VERSION, type MacNodeLeaseStatus } from '../../sdk/api';
import { formatInstant, type Instant, instant } from '../../sdk/rules/instant';

/** A Mac that is leased to a tenant. */
export interface Leased {
  readonly namespace: string;
  readonly lease: string;
  readonly leaseUID: string;
  readonly namespaceUID: string;
  readonly minimumDuration?: string;
}

export const SHAPE = { cpu: 4, memory: '8Gi', disk: '128Gi' };
export const IMAGE = 'ghcr.io/acme/macos:15';

export const leaseNamed = (namespace: string, name: string, spec: object = {}) => ({ metadata: { namespace, name }, spec: { class: 'base', ...spec } });
export const instanceNamed = (namespace: string, name: string, leaseName: string, shape: object = SHAPE) => ({ metadata: { namespace, name }, spec: { leaseName, image: IMAGE, shape } });

/** The status of a bound lease. @param floorMs from the binding to the end of the floor. */
export function boundStatus(serial: string, boundAt: Instant, floorMs: number, phase: MacNodeLeaseStatus['phase'] = 'Bound') {
  return { phase, chassis: serial, node: `mac-${serial}`, boundAt: formatInstant(boundAt), earliestReleaseAt: formatInstant(instant(boundAt + floorMs)) };
}

export const claimOf = (serial: string, { namespace, lease, leaseUID, namespaceUID, minimumDuration = '24h' }: Leased) => ({
  metadata: { name: serial, finalizers: ['macrack.io/claim'] },
  spec: { leaseNamespace: namespace, leaseName: lease, leaseUID, namespaceUID, tenant: namespace, minimumDuration },
});

export const macNodeNamed = (serial: string, hardwareUUID = 'h-1') => ({ apiVersion: API_VERSION, kind: 'MacNode', metadata: { name: serial }, spec: { class: 'base', serial, hardwareUUID } });
