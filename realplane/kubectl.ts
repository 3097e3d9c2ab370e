import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealPlane } from './real-plane';

/** What kubectl needs of a plane: a directory for its files, kubeconfigs, and the path of itself. */
export type KubectlPlane = Pick<RealPlane, 'directory' | 'kubeconfig' | 'kubectl'>;

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function kubeconfigFile(plane: KubectlPlane, user: string): Promise<string> {
  const path = join(plane.directory, `kubectl-${user.replaceAll(':', '-')}.kubeconfig`);
  if (!existsSync(path)) writeFileSync(path, await plane.kubeconfig(user), { mode: 0o600 });
  return path;
}

/** Runs the kubectl of the plane's own release as a user; its cache is the plane's. @param input for `-f -` */
export async function kubectl(plane: KubectlPlane, user: string, args: readonly string[], input = ''): Promise<Run> {
  const env = { ...process.env, KUBECONFIG: await kubeconfigFile(plane, user), HOME: plane.directory };
  return new Promise((done) => {
    const child = execFile(plane.kubectl, [...args], { env }, (_, out, err) => done({ code: child.exitCode ?? -1, out, err }));
    child.stdin?.end(input);
  });
}
