import type { Run } from '../../realplane/kubectl';
import type { RealPlane } from '../../realplane/real-plane';
import { until } from '../../sdk/client/until';
import { leaseYaml } from './printed';

/**
 * Waits until the quota controller has heard of leases: it asks for new kinds every thirty seconds, and leaves a quota of a kind that
 * it does not know uncounted for minutes.
 */
export async function untilLeasesAreCounted(plane: RealPlane): Promise<void> {
  const counts = /"QuotaMonitor created object count evaluator" resource="macnodeleases\.macrack\.io"/;
  await until('the quota controller counts leases', () => Promise.resolve(counts.test(plane.servers.get('kube-controller-manager').log()) || undefined));
}

/** What a quota says until the API server has seen its count, and of a count that two write at once: neither is an answer yet. */
const UNCOUNTED = /status unknown for quota|cannot be fulfilled on resourcequotas/;

/** Creates a lease as soon as the quota of its namespace is counted. @throws Error with any other refusal */
export function createdLease(create: (yaml: string) => Promise<Run>, namespace: string, name: string): Promise<true> {
  return until(`lease ${namespace}/${name} is made`, async () => {
    const { code, err } = await create(leaseYaml(namespace, name));
    if (code !== 0 && !UNCOUNTED.test(err)) throw new Error(err);
    return code === 0 ? true : undefined;
  });
}
