import type { IConstruct } from 'constructs';
import type { Subject } from './subject';

/** What a construct of ours carries. */
export interface Mark {
  /** Set for an element of Terraform. */
  readonly subject?: Subject;
  /** What is wrong with it by itself. */
  readonly faults: () => readonly string[];
}

/** `Symbol.for`, so that two copies of the package in one process know each other's constructs. */
const MARK = Symbol.for('macrack.io/cdk-mark');

export function setMark(construct: IConstruct, mark: Mark): void {
  Object.defineProperty(construct, MARK, { value: mark });
}

export function markOf(construct: IConstruct): Mark | undefined {
  return (construct as { readonly [MARK]?: Mark })[MARK];
}

/** The elements of ours in the whole app of a construct; those that were taken out of it again are none of them. */
export function subjectsAround(construct: IConstruct): Subject[] {
  return construct.node.root.node.findAll().map((node) => markOf(node)?.subject).filter((subject) => subject !== undefined);
}
