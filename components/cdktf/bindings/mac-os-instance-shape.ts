// Generated from the provider's schema by components/emit; do not edit.
import { type AttributeTable, required } from '../base/attributes';
import { ObjectReference } from '../base/object-reference';

/** Size. The sizes of a lease's instances together must fit its Mac. A change replaces the instance. */
export interface MacOSInstanceShape {
  /** Cores, a whole number. */
  readonly cpu: number;
  /** Disk as a quantity, for example "100Gi". */
  readonly disk: string;
  /** Memory as a quantity, for example "8Gi". */
  readonly memory: string;
}

export const MAC_OS_INSTANCE_SHAPE: AttributeTable = {
  cpu: required('number'),
  disk: required('string'),
  memory: required('string'),
};

export class MacOSInstanceShapeOutputReference extends ObjectReference<MacOSInstanceShape> {
  /** Cores, a whole number. */
  get cpu(): number {
    return this.getNumberAttribute('cpu');
  }

  set cpu(value: number) {
    this.putMember('cpu', value);
  }

  get cpuInput(): number | undefined {
    return this.member('cpu');
  }

  /** Disk as a quantity, for example "100Gi". */
  get disk(): string {
    return this.getStringAttribute('disk');
  }

  set disk(value: string) {
    this.putMember('disk', value);
  }

  get diskInput(): string | undefined {
    return this.member('disk');
  }

  /** Memory as a quantity, for example "8Gi". */
  get memory(): string {
    return this.getStringAttribute('memory');
  }

  set memory(value: string) {
    this.putMember('memory', value);
  }

  get memoryInput(): string | undefined {
    return this.member('memory');
  }
}
