import { InputPropertiesError } from '@pulumi/pulumi';

/** What is wrong with one input of a component. */
export interface InputFault {
  /** Dotted place of the input, `vms[0].lease`. */
  readonly propertyPath: string;
  /** Begins with its reason: `InvalidValue: …`. */
  readonly reason: string;
}

/** The runtime prints such an error by its message alone: a stack through @pulumi/pulumi takes it many seconds and gigabytes. */
class RefusedInputs extends InputPropertiesError {
  /** By this field the runtime knows an error that a program means to be read. */
  readonly __pulumiRunError = true;

  constructor(faults: readonly InputFault[]) {
    super({ message: faults.map(({ reason }) => reason).join('\n'), errors: [...faults] });
    this.name = 'InputPropertiesError';
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** Ends the program at inputs that no preview needs to see. @throws InputPropertiesError with every fault, unless there is none */
export function refuseInputs(faults: readonly InputFault[]): void {
  if (faults.length > 0) throw new RefusedInputs(faults);
}
