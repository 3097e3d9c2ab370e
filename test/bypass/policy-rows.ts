import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

interface Named { readonly name: string; readonly expression: string }
interface Document { readonly kind: string; readonly spec: { readonly matchConditions?: readonly Named[]; readonly variables?: readonly Named[]; readonly validations?: readonly { readonly message: string; readonly expression: string }[] } }

export interface PolicyRow {
  readonly policy: string;
  /** `anyone`: nothing that its sender can choose by impersonation passes it. */
  readonly holdsAgainst: 'anyone' | 'all but who impersonates';
  readonly says: string;
}

/** Whether an expression asks who sends the request, by itself or by a variable. */
function asksWho(expression: string, variables: readonly Named[]): boolean {
  const used = variables.filter(({ name }) => new RegExp(`variables\\.${name}\\b`).test(expression));
  return expression.includes('request.userInfo') || used.some((variable) => asksWho(variable.expression, variables));
}

const documentsOf = (path: string): Document[] => parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS() as Document);

function rowsOf(policy: string, path: string): PolicyRow[] {
  return documentsOf(path).flatMap(({ spec: { matchConditions = [], variables = [], validations = [] } }) => validations.map(({ message, expression }) => ({
    policy, says: message.replace(/^macrack: /, ''), holdsAgainst: [expression, ...matchConditions.map((condition) => condition.expression)].some((asked) => asksWho(asked, variables)) ? 'all but who impersonates' as const : 'anyone' as const,
  })));
}

function mutatingRow(policy: string, path: string): PolicyRow {
  const [sentence = ''] = /^(?:# .*\n)+/.exec(readFileSync(path, 'utf8'))?.[0].replaceAll(/^# /gm, '').replaceAll('\n', ' ').split(/(?<=[.:]) (?=[A-Z])/) ?? [];
  return { policy, holdsAgainst: 'anyone', says: sentence.trim() };
}

const files = (folder: string): [name: string, path: string][] => readdirSync(folder).filter((name) => name.endsWith('.yaml')).sort().map((name) => [name.replace('.yaml', ''), join(folder, name)]);

/** One row for each sentence of a policy. @param deploy directory of the manifests */
export function policyRows(deploy: string): PolicyRow[] {
  const validating = [...files(join(deploy, 'policies')), ...files(join(deploy, 'clock-policy'))].flatMap(([name, path]) => rowsOf(name, path));
  return [...validating, ...files(join(deploy, 'policies', 'mutating')).map(([name, path]) => mutatingRow(name, path))];
}
