import { Aspects, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import type { Inputs } from '../base/inputs';
import { faultsOfInputs } from './input-faults';
import { faultsOfStack } from './stack-faults';
import { subjectsOf } from './registry';
import type { Subject, TypedElement } from './subject';

/** What else is to be judged of a construct that is no element: of `DedicatedMac`, of `MacFleet`. */
type Faults = () => readonly string[];

/** What a stack of ours has to say, and whether it was said in this synth. */
class Watch {
  private readonly own: { readonly construct: Construct; readonly faults: Faults }[] = [];
  private isDue = false;

  constructor(private readonly stack: TerraformStack) {
    stack.node.addValidation({ validate: () => this.judged(faultsOfStack(stack)) });
    Aspects.of(stack).add({ visit: (node) => { if (node === stack) this.isDue = true; } });
  }

  add(construct: Construct, faults: Faults): void {
    this.own.push({ construct, faults });
    construct.node.addValidation({ validate: () => this.judged(faults()) });
  }

  /**
   * A synth invokes the aspects, then validates where it is asked to, then renders. `Testing.synth` does not validate, and an app can
   * be told not to: what is about to be rendered is then judged here. Throws Error with every fault, as the library words it.
   */
  beforeRendering(): void {
    if (!this.isDue) return;
    this.isDue = false;
    const lines = [...this.own.flatMap(({ construct, faults }) => prefixed(construct, faults())), ...prefixed(this.stack, faultsOfStack(this.stack))];
    if (lines.length > 0) throw new Error(`Validation failed with the following errors:\n  ${lines.join('\n  ')}`);
  }

  private judged(faults: readonly string[]): string[] {
    this.isDue = false;
    return [...faults];
  }
}

const prefixed = ({ node }: Construct, faults: readonly string[]): string[] => faults.map((fault) => `[${node.path}] ${fault}`);

const watches = new WeakMap<TerraformStack, Watch>();

function watchOf(construct: Construct): Watch {
  const stack = TerraformStack.of(construct);
  const watch = watches.get(stack) ?? new Watch(stack);
  watches.set(stack, watch);
  return watch;
}

/** Has an element judged at synth: by itself, and together with the others of its app. */
export function watchElement(element: TypedElement, inputs: Inputs<never> | Inputs<object>): void {
  const subject: Subject = { element, stack: TerraformStack.of(element), type: element.terraformResourceType, kind: element.constructor.name, inputs: inputs as Inputs<object> };
  subjectsOf(element).push(subject);
  watchOf(element).add(element, () => faultsOfInputs(subject));
}

/** Has a construct judged at synth that is no element of Terraform itself. */
export function watchConstruct(construct: Construct, faults: Faults): void {
  watchOf(construct).add(construct, faults);
}

/** To be called before an element is rendered. */
export function judgeUnlessJudged(element: TypedElement): void {
  watches.get(TerraformStack.of(element))?.beforeRendering();
}
