import { mutantsOf, type Mutant } from './mutant';

const TABLE = 'test/conformance/agent.test.ts';
const API = 'agent/api/real-api.test.ts';

export const agentMutants: readonly Mutant[] = [
  ...mutantsOf('agent/node/register.ts', 'agent/start-agent.test.ts', [
    ['the node capacity of two', '[VM_RESOURCE]: String(MOST_MACHINES)', "[VM_RESOURCE]: '3'", 'registers a Node for two machines'],
  ]),
  ...mutantsOf('agent/pods/refusal.ts', TABLE, [
    ["the agent's count", 'vms.length < MOST_MACHINES', 'vms.length >= 0', 'a third instance beside two running ones'],
    ["the agent's look at the tenant", 'claim.spec.tenant === run.tenant && ', '', "an instance on another tenant's Mac"],
    ["the agent's look at machine identifiers", 'other.machineID === machineID', 'false', 'shares its machineID'],
    ["the agent's look at MAC addresses", 'other.mac === mac', 'false', 'shares its mac'],
  ]),
  ...mutantsOf('agent/pods/refusal.ts', 'agent/pods/start.test.ts', [
    ["the agent's look at the claim", 'claim.metadata.uid === run.bindingUID', 'true', 'refuses a pod of another claim'],
    ["the agent's look at the Mac that a pod selects", 'if (selected === serial) return undefined;', 'if (selected !== undefined) return undefined;', 'refuses a pod that selects another Mac'],
    ['the remains of a former tenant', 'if (foreign.size === 0) return undefined;', 'if (foreign.size >= 0) return undefined;', 'refuses the next tenant while a machine or a disk'],
  ]),
  ...mutantsOf('agent/node/enrolment.ts', 'agent/node/enrolment.test.ts', [
    ['the kernel quota that an agent accepts', 'hardware.kernelQuota > MOST_MACHINES', 'false', 'is not registered when its kernel allows more than two'],
    ['the retirement that an agent obeys', 'if (macNode.spec.retired) {', 'if (false) {', 'registers nothing, starts nothing and says that it is retired'],
    ['the hardware that was enrolled', 'enrolled.toLowerCase() !== hardware.hardwareUUID.toLowerCase()', 'false', 'is not registered under the serial of another hardware'],
  ]),
  ...mutantsOf('agent/api/client-identity.ts', API, [
    ['the names that an agent answers', 'return isOperator || valuesOf(subject?.O).includes(FLEET_OPERATORS) ? { name, isOperator } : undefined;', 'return { name, isOperator };', 'answers 403 to a tenant, to a node'],
  ]),
  ...mutantsOf('agent/api/client-identity.ts', 'agent/api/client-identity.test.ts', [
    ['the one name of a certificate', ' || names.length > 1', '', 'is nobody by two names'],
  ]),
  ...mutantsOf('agent/api/serve.ts', API, [
    ['the authority behind a certificate', 'rejectUnauthorized: true', 'rejectUnauthorized: false', 'refuses no certificate in the handshake', 'refuses an expired certificate', "refuses another authority's certificate"],
  ]),
  ...mutantsOf('agent/api/routes.ts', API, [
    ['the question who asks, before every route', '    clientOf(request);\n    done();', '    done();', 'answers 403 to a tenant, to a node'],
    ['the operator who alone hands out heads of the record', '!clientOf(request).isOperator', 'false', 'takes none from others'],
  ]),
  ...mutantsOf('agent/drivers/sim/kernel.ts', 'test/conformance/kernel.test.ts', [
    ['the quota of the kernel', 'this.#running + this.#leaked >= this.quota', 'false', 'a third instance beside two running ones', 'that the kernel refuses while fewer than two run'],
  ]),
];
