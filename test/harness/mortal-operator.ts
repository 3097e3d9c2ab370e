import type { ControlPlane } from '../../sdk/client/control-plane';
import { recordingControlPlane, type Write } from '../../sdk/client/interrupted-plane';
import type { TerraformSuite } from './terraform-suite';

/** A write of the operator by its label, `patch MacNodeLease/status #2` (the second of them), and the side of it on which the operator dies. */
export interface OperatorDeath {
  readonly label: string;
  readonly moment: 'before' | 'after';
}

// Both come by the clock and by heartbeats, whatever is asked of the operator.
const BACKGROUND: ReadonlySet<string> = new Set(['Clock', 'MacClass']);

/** Counts the writes of a plane's operator, and ends it at a chosen one as kill -9 would: nothing it does afterwards has an effect. */
export class MortalOperator {
  #labels: string[] = [];
  #death: (OperatorDeath & { readonly suite: TerraformSuite; readonly done: () => void; readonly failed: (error: unknown) => void }) | undefined;

  /** For `SuiteOptions.operatorPlane`. */
  readonly plane = (client: ControlPlane): ControlPlane => {
    const labels = new Map<number, string>();
    return recordingControlPlane(client, {
      before: (write) => {
        if (BACKGROUND.has(write.kind)) return;
        labels.set(write.number, this.#label(write));
        this.#pass(labels.get(write.number), 'before');
      },
      after: (write) => this.#pass(labels.get(write.number), 'after'),
    });
  };

  /** Labels of the writes since the last call, in order. */
  takeLabels(): readonly string[] {
    const taken = this.#labels;
    this.#labels = [];
    return taken;
  }

  /** Lets the operator die at its next write of that label, and starts another at once. Resolves when that one is ready. */
  dieAt(suite: TerraformSuite, death: OperatorDeath): Promise<void> {
    this.takeLabels();
    return new Promise((done, failed) => {
      this.#death = { ...death, suite, done, failed };
    });
  }

  #label({ verb, kind, subresource }: Write): string {
    const what = `${verb} ${kind}${subresource === undefined ? '' : `/${subresource}`}`;
    const label = `${what} #${this.#labels.filter((l) => l.startsWith(`${what} #`)).length + 1}`;
    this.#labels.push(label);
    return label;
  }

  #pass(label: string | undefined, moment: OperatorDeath['moment']): void {
    const death = this.#death;
    if (death === undefined || death.label !== label || death.moment !== moment) return;
    this.#death = undefined;
    setImmediate(() => void death.suite.development.restartOperator().then(death.done, death.failed));
    throw new Error('the operator was killed');
  }
}
