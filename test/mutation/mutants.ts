import { admissionMutants } from './mutants/admission';
import { agentMutants } from './mutants/agent';
import { cdktfMutants } from './mutants/cdktf';
import { crdMutants } from './mutants/crds';
import { operatorMutants } from './mutants/operator';
import { policyMutants } from './mutants/policies';
import { providerMutants } from './mutants/provider';
import { pulumiMutants } from './mutants/pulumi';
import { ruleMutants } from './mutants/rules';
import type { Mutant } from './mutants/mutant';

/** Every stop of the project, each taken away by itself. */
export const MUTANTS: readonly Mutant[] = [...ruleMutants, ...crdMutants, ...policyMutants, ...admissionMutants, ...operatorMutants, ...agentMutants, ...providerMutants, ...pulumiMutants, ...cdktfMutants];
