import type { ApiObject } from '../json';
import type { Attributes } from './admission';

export class Webhooks {
  mutate(attributes: Attributes): Promise<ApiObject | undefined> {
    return Promise.resolve(attributes.object);
  }

  validate(_attributes: Attributes): Promise<void> {
    return Promise.resolve();
  }
}
