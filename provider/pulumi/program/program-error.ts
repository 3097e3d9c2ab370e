import { RunError } from '@pulumi/pulumi';

/** An error of ours in a user's program: one sentence, with no stack. A stack through @pulumi/pulumi takes the runtime many seconds and gigabytes to print. */
export function programError(message: string): RunError {
  const error = new RunError(message);
  error.stack = `${error.name}: ${message}`;
  return error;
}
