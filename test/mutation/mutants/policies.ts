import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Catcher, Mutant } from './mutant';

const folder = 'deploy/policies';
const directory = resolve(__dirname, '..', '..', '..', folder);

/** Policies that stand in the way of the three rules themselves: the table notices too, each by these rows. */
const inTable: Readonly<Record<string, readonly string[]>> = {
  'p1-node-capacity': ['a third instance beside two running ones'],
  'p2-node-taints': ["an instance on another tenant's Mac"],
  'p3-vm-pods': ['a third instance beside two running ones', "an instance on another tenant's Mac"],
  'p6-lease-finalizer': ['a release five hours after binding'],
  'p7b-claim-floor': ['a release five hours after binding', 'a release one second before the floor', 'a longer minimum duration'],
};

function catchersOf(name: string): Catcher[] {
  const rows = inTable[name];
  return [{ test: 'test/policies/policies.test.ts', names: [`${name} refuses:`] }, ...(rows === undefined ? [] : [{ test: 'test/conformance/policy.test.ts', names: rows }])];
}

/** A policy that is asked about nothing is as good as gone. */
function mutantOf(name: string): Mutant {
  const file = `${folder}/${name}.yaml`;
  const [resources = 'resources: ['] = /resources: \[.*\]/.exec(readFileSync(join(directory, `${name}.yaml`), 'utf8')) ?? [];
  return { gone: `policy ${name}`, mutation: { file, replace: resources, by: 'resources: [nothing]' }, caughtBy: catchersOf(name) };
}

/** Each policy of the directory, also one that is yet to come. */
export const policyMutants: readonly Mutant[] = [
  ...readdirSync(directory).filter((name) => name.endsWith('.yaml')).sort().map((name) => mutantOf(name.replace('.yaml', ''))),
  {
    gone: 'the policy of the Clock', mutation: { file: 'deploy/clock-policy/release-floor.yaml', replace: 'variables.now >= variables.floor', by: 'true' },
    caughtBy: [{ test: 'test/policies/release-floor.test.ts', names: ['a claim is not deleted a second before its floor'] }],
  },
];
