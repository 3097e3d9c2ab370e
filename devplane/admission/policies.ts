import type { Attributes } from './admission';

export class PolicySet {
  validate(_attributes: Attributes): void {}
}
