import { Annotation, Kinds, nodeName, Taint, type MacNode, type MacNodeBinding, type Node } from '../../../sdk/api';
import type { Instant } from '../../../sdk/rules/instant';
import type { Context } from '../context';
import { SETTLED, type Controller, type Decision } from '../engine/converge';
import { removeExactly, swap } from '../engine/write';
import { ingestJournal } from './journal';
import { isUnleased, readyPatch, unleasedPatch } from './taints';

interface NodeFacts {
  readonly now: Instant;
  readonly macNode: MacNode | null;
  readonly node: Node | null;
  readonly claim: MacNodeBinding | null;
}

interface NodeStep { readonly node: Node; readonly patch: object | 'delete' }

const hasOurTaint = (node: Node): boolean => (node.spec.taints ?? []).some((t) => t.key === Taint.Unleased || t.key === Taint.Tenant);

/** A node is nobody's until a claim says otherwise, and open for pods once it is ready. */
export function decideNode({ node, claim, macNode }: Pick<NodeFacts, 'node' | 'claim' | 'macNode'>): Decision<NodeStep> {
  if (node === null || node.metadata.deletionTimestamp !== undefined) return SETTLED;
  // The claim of a leased one takes it out at its end.
  if (macNode?.spec.retired === true && claim === null && isUnleased(node)) return { step: { node, patch: 'delete' } };
  const ready = readyPatch(node);
  if (ready !== null) return { step: { node, patch: ready } };
  const bare = claim === null && !hasOurTaint(node) ? unleasedPatch(node) : null;
  if (bare !== null) return { step: { node, patch: bare } };
  return claim === null && leavesUnsaid(node, macNode) ? { step: { node, patch: { metadata: { annotations: { [Annotation.KeepDisks]: '' } } } } } : SETTLED;
}

/** A node that was registered anew says nothing of disks, and its agent deletes none until it is told which to keep. Without a claim that is none. */
function leavesUnsaid(node: Node, macNode: MacNode | null): boolean {
  return node.metadata.annotations?.[Annotation.KeepDisks] === undefined && (macNode?.status?.disks ?? []).length > 0;
}

/** Reconciles a Mac's node and takes its journal in, by serial. */
export function nodeController(context: Context): Controller<NodeFacts, NodeStep> {
  return {
    gather: async (view, serial) => {
      const [macNode, node, claim] = await Promise.all([
        view.get(Kinds.MacNode, { name: serial }), view.get(Kinds.Node, { name: nodeName(serial) }), view.get(Kinds.MacNodeBinding, { name: serial }),
      ]);
      if (macNode !== null) await ingestJournal(context, macNode);
      return { now: await view.now(), macNode, node, claim };
    },
    decide: decideNode,
    perform: async ({ node, patch }) => {
      if (patch === 'delete') await removeExactly(context.plane, Kinds.Node, node);
      else await swap(context.plane, Kinds.Node, node, patch);
    },
    isReversible: () => false,
  };
}
