import { Aspects, TerraformStack } from 'cdktf';
import type { Construct, IConstruct } from 'constructs';
import type { Inputs } from '../base/inputs';
import { faultsOfInputs } from './input-faults';
import { markOf, setMark, type Mark } from './mark';
import { faultsOfStack } from './stack-faults';
import type { TypedElement } from './subject';

const prefixed = ({ node }: IConstruct, faults: readonly string[]): string[] => faults.map((fault) => `[${node.path}] ${fault}`);

/** Knows whether a stack was judged in this synth. */
class Watch {
  private isDue = false;

  constructor(private readonly stack: TerraformStack) {
    stack.node.addValidation({ validate: () => this.judged() });
    Aspects.of(stack).add({ visit: (node) => { if (node === stack) this.isDue = true; } });
  }

  /**
   * A synth invokes the aspects, then validates where it is asked to, then renders. `Testing.synth` does not validate, and an app can
   * be told not to: what is about to be rendered is then judged here. Throws Error with every fault, as the library words it.
   */
  beforeRendering(): void {
    if (!this.isDue) return;
    const lines = [...this.stack.node.findAll().flatMap((node) => prefixed(node, markOf(node)?.faults() ?? [])), ...prefixed(this.stack, this.judged())];
    if (lines.length > 0) throw new Error(`Validation failed with the following errors:\n  ${lines.join('\n  ')}`);
  }

  private judged(): string[] {
    this.isDue = false;
    return faultsOfStack(this.stack);
  }
}

const watches = new WeakMap<TerraformStack, Watch>();

function watch(construct: Construct, mark: Mark): void {
  const stack = TerraformStack.of(construct);
  if (!watches.has(stack)) watches.set(stack, new Watch(stack));
  setMark(construct, mark);
  construct.node.addValidation({ validate: () => [...mark.faults()] });
}

/** Has an element judged at synth: by itself, and together with the others of its app. */
export function watchElement(element: TypedElement, inputs: Inputs<never> | Inputs<object>): void {
  const subject = { element, stack: TerraformStack.of(element), type: element.terraformResourceType, kind: element.constructor.name, inputs: inputs as Inputs<object> };
  watch(element, { subject, faults: () => faultsOfInputs(subject) });
}

/** Has a construct judged at synth that is no element of Terraform itself. */
export function watchConstruct(construct: Construct, faults: Mark['faults']): void {
  watch(construct, { faults });
}

/** To be called before an element is rendered. */
export function judgeUnlessJudged(element: TypedElement): void {
  watches.get(TerraformStack.of(element))?.beforeRendering();
}
