import { Kinds, type MacNode } from '../../sdk/api/kinds';
import { connect, type ControlPlane } from '../../sdk/client';

/** Where the fleet is; default: as kubectl finds it. */
export interface AccessOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** `json`: one document for machines. Default: text. */
  readonly output?: 'json';
}

/** Runs a command on the fleet's control plane, and closes the connection. */
export async function onFleet<T>({ kubeconfig, context }: AccessOptions, work: (plane: ControlPlane) => Promise<T>): Promise<T> {
  const plane = await connect({ ...(kubeconfig !== undefined && { configPath: kubeconfig }), ...(context !== undefined && { configContext: context }) });
  try {
    return await work(plane);
  } finally {
    plane.close();
  }
}

/** @throws Error that says what is enrolled instead */
export async function macOf(plane: ControlPlane, serial: string): Promise<MacNode> {
  const macNode = await plane.tryGet(Kinds.MacNode, { name: serial });
  if (macNode === null) throw new Error(`Mac ${serial} is not enrolled: macrack mac list shows the Macs that are`);
  return macNode;
}

/** Compare-and-swap of a Mac's spec or annotations against what was read. */
export function changeMac(plane: ControlPlane, { metadata: { name, uid, resourceVersion } }: MacNode, patch: object): Promise<MacNode> {
  return plane.patch(Kinds.MacNode, { name }, patch, { preconditions: { uid, resourceVersion } });
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What a command has done, as a sentence or as JSON. */
export function tell({ output }: AccessOptions, facts: object, sentence: string): void {
  print(output === 'json' ? JSON.stringify(facts) : sentence);
}
