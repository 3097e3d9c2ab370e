import { ComplexObject, type IInterpolatingParent, type IResolvable } from 'cdktf';
import { emptySlot, isPlain, type Slot } from './inputs';

/** A reference to an object of a resource, and what the configuration says of it. */
export class ObjectReference<T extends object> extends ComplexObject {
  /**
   * @param parent the resource, or the object around this one
   * @param attribute name of the attribute in Terraform
   */
  constructor(parent: IInterpolatingParent, attribute: string, private readonly slot: Slot<T> = emptySlot()) {
    super(parent, attribute, false);
  }

  get internalValue(): T | IResolvable | undefined {
    return this.slot.get();
  }

  set internalValue(value: T | IResolvable | undefined) {
    this.slot.set(value);
  }

  protected member<K extends keyof T>(name: K): T[K] | undefined {
    const held = this.slot.get();
    return isPlain(held) ? (held as T)[name] : undefined;
  }

  protected putMember<K extends keyof T>(name: K, value: T[K] | undefined): void {
    const held = this.slot.get();
    const members = Object.entries({ ...(isPlain(held) ? held : {}), [name]: value }).filter(([, member]) => member !== undefined);
    this.slot.set(members.length === 0 ? undefined : Object.fromEntries(members) as T);
  }
}

/** A reference to one object of a list that only the provider fills. */
export class ElementReference extends ComplexObject {
  /** @param fromSet whether the list is a set, whose elements are reached through tolist() */
  constructor(parent: IInterpolatingParent, attribute: string, index: number, fromSet: boolean) {
    super(parent, attribute, fromSet, index);
  }
}
