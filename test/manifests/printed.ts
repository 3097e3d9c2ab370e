import { kubectl, type Run } from '../../realplane/kubectl';
import { ADMIN } from '../../realplane/identities';
import type { RealPlane } from '../../realplane/real-plane';
import { until } from '../../sdk/client/until';
import { macrack } from '../cli/command';

/** What the built `macrack manifests` prints. @throws Error with what it says when it ends with an error */
export async function printed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await macrack('manifests', ...args).ended;
  if (code !== 0) throw new Error(`macrack manifests ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** kubectl as the administrator. @throws Error with what it says when it ends with an error */
export async function admin(plane: RealPlane, args: readonly string[], input = ''): Promise<string> {
  const { code, out, err } = await kubectl(plane, ADMIN, args, input);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

/** A lease, as kubectl takes it. */
export const leaseYaml = (namespace: string, name: string): string => JSON.stringify({ apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: { namespace, name }, spec: { class: 'base' } });

/** What a quota says until its controller has counted, and of a count that two write at once: neither is an answer yet. */
const UNCOUNTED = /status unknown for quota|cannot be fulfilled on resourcequotas/;

/** Creates a lease as soon as the quota of its namespace is counted. @throws Error with any other refusal */
export function createdLease(create: (yaml: string) => Promise<Run>, namespace: string, name: string): Promise<true> {
  return until(`lease ${namespace}/${name} is made`, async () => {
    const { code, err } = await create(leaseYaml(namespace, name));
    if (code !== 0 && !UNCOUNTED.test(err)) throw new Error(err);
    return code === 0 ? true : undefined;
  });
}

export const refusal = (text: string | RegExp) => ({ code: 1, out: expect.any(String) as string, err: expect.stringMatching(text) as string }) satisfies Run;
