import { RunError } from '@pulumi/pulumi';
import { programError } from './program-error';

describe('an error of ours in a program', () => {
  it('is one that the runtime prints as it is, in one line: a stack through @pulumi/pulumi takes it seconds and gigabytes', () => {
    const error = programError('InvalidValue: no.');
    expect(RunError.isInstance(error)).toBe(true);
    expect([error.message, error.stack]).toEqual(['InvalidValue: no.', 'Error: InvalidValue: no.']);
  });
});
