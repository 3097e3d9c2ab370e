import type { ApiObject } from '../json';
import type { Attributes } from './attributes';
import type { PolicySet } from './policies';
import type { Webhooks } from './webhooks';

/** The two passes of admission. Between them the caller validates the schema: what a webhook changed is judged by all that follows. */
export class Admission {
  constructor(
    private readonly policies: PolicySet,
    private readonly webhooks: Webhooks,
  ) {}

  /** Mutating webhooks. @returns the object that goes on; for DELETE nothing may change. */
  async mutate<T extends Attributes>(attributes: T): Promise<T extends { object: ApiObject } ? ApiObject : undefined> {
    return (await this.webhooks.mutate(attributes)) as T extends { object: ApiObject } ? ApiObject : undefined;
  }

  /** Policies first: what they deny is never shown to a validating webhook. @throws StatusError */
  async validate(attributes: Attributes): Promise<void> {
    this.policies.validate(attributes);
    await this.webhooks.validate(attributes);
  }
}
