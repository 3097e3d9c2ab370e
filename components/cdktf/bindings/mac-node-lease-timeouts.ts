// Generated from the provider's schema by components/emit; do not edit.
import { type AttributeTable, optional } from '../base/attributes';
import { ObjectReference } from '../base/object-reference';

/** How long to wait for each operation. */
export interface MacNodeLeaseTimeouts {
  /** Longest wait of a create, for example "10m" or "1h30m". Default 10m. */
  readonly create?: string;
  /** Longest wait of a delete. Default 10m. */
  readonly delete?: string;
  /** Longest wait of an update. Default 5m. */
  readonly update?: string;
}

export const MAC_NODE_LEASE_TIMEOUTS: AttributeTable = {
  create: optional('string'),
  delete: optional('string'),
  update: optional('string'),
};

export class MacNodeLeaseTimeoutsOutputReference extends ObjectReference<MacNodeLeaseTimeouts> {
  /** Longest wait of a create, for example "10m" or "1h30m". Default 10m. */
  get create(): string {
    return this.getStringAttribute('create');
  }

  set create(value: string) {
    this.putMember('create', value);
  }

  resetCreate(): void {
    this.putMember('create', undefined);
  }

  get createInput(): string | undefined {
    return this.member('create');
  }

  /** Longest wait of a delete. Default 10m. */
  get delete(): string {
    return this.getStringAttribute('delete');
  }

  set delete(value: string) {
    this.putMember('delete', value);
  }

  resetDelete(): void {
    this.putMember('delete', undefined);
  }

  get deleteInput(): string | undefined {
    return this.member('delete');
  }

  /** Longest wait of an update. Default 5m. */
  get update(): string {
    return this.getStringAttribute('update');
  }

  set update(value: string) {
    this.putMember('update', value);
  }

  resetUpdate(): void {
    this.putMember('update', undefined);
  }

  get updateInput(): string | undefined {
    return this.member('update');
  }
}
