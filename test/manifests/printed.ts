import { kubectl, type Run } from '../../realplane/kubectl';
import { ADMIN } from '../../realplane/identities';
import type { RealPlane } from '../../realplane/real-plane';
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

export const refusal = (text: string | RegExp) => ({ code: 1, out: expect.any(String) as string, err: expect.stringMatching(text) as string }) satisfies Run;
