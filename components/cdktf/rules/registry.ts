import type { IConstruct } from 'constructs';
import type { Subject } from './subject';

/** On the root of an app; `Symbol.for`, so that two copies of the package in one process find the same. */
const REGISTRY = Symbol.for('macrack.io/cdk-subjects');

interface Root {
  [REGISTRY]?: Subject[];
}

/** All constructs of ours in the app of `construct`, in the order of their creation. */
export function subjectsOf(construct: IConstruct): Subject[] {
  const root = construct.node.root as unknown as Root;
  return (root[REGISTRY] ??= []);
}
