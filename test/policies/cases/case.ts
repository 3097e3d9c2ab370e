import type { AdmissionRequest } from '../policy';

/** A request that one validation refuses, and no other: without that validation it would pass. */
export interface Refused {
  /** Part of the message of the validation, enough to tell it from the others of its policy. */
  by: string;
  sentence: string;
  request: AdmissionRequest;
}

export interface PolicyCases {
  /** File name in deploy/policies, without `.yaml`. */
  policy: string;
  allowed: Record<string, AdmissionRequest>;
  refused: Refused[];
  /** Requests that a matchCondition keeps from the policy, which would refuse them. */
  spared?: Record<string, AdmissionRequest>;
}
