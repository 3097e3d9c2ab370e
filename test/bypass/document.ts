import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack, Rule, Stop } from './attack';
import { policyRows } from './policy-rows';
import { attacks } from './table';

const WHO: Readonly<Record<Attack['who'], string>> = {
  admin: 'system:masters', 'admin as operator': 'system:masters as the operator', 'admin as scheduler': 'system:masters as operator and scheduler', 'admin as node': 'system:masters as a node',
  'admin as controller': 'system:masters as a controller', 'daily admin': '`macrack-administrator`', agent: "a Mac's agent", tenant: 'a tenant', 'admin and host': 'system:masters with files on the host',
};
const RULE: Readonly<Record<Rule, string>> = { 1: '1', 2: '2', 3: '3', stops: 'the stops', tenancy: 'tenancy' };

const isOurs = (stop: Stop): boolean => /^[pm]\d/.test(stop) || stop === 'release-floor';
const named = (stop: Stop): string => (isOurs(stop) ? `\`${stop}\`` : stop === 'CRD' ? 'the rules of the CRD' : stop === 'webhook' ? 'the webhook' : stop === 'agent' || stop === 'operator' || stop === 'scheduler' ? `the ${stop}` : stop);
const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function afterwards(attack: Attack): string {
  if (attack.outcome !== 'refused') return attack.proof;
  if (!/^p\d/.test(attack.by)) return '';
  const next = typeof attack.without === 'object' ? Object.values(attack.without)[0] : attack.without;
  return next === undefined ? 'without it: accepted' : `without it: refused by ${named(next)}${typeof attack.without === 'object' ? ', in part' : ''}`;
}

function attackTable(): string[] {
  return [
    row(['attack', 'by', 'rule', 'outcome', 'what is seen']), row(['---', '---', '---', '---', '---']),
    ...attacks.map((attack) => row([attack.attack, WHO[attack.who], RULE[attack.rule], `${attack.outcome} ${attack.outcome === 'recorded' ? 'in the audit of the' : 'by'} ${named(attack.by)}`, afterwards(attack)])),
  ];
}

function policyTable(deploy: string): string[] {
  return [row(['policy', 'holds against', 'what it says']), row(['---', '---', '---']), ...policyRows(deploy).map(({ policy, holdsAgainst, says }) => row([`\`${policy}\``, holdsAgainst, says]))];
}

const between = (text: string, name: string, lines: readonly string[]): string => {
  const [open, close] = [`<!-- generated: ${name}, by npm run generate:security -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`docs/security.md has no place for the table of ${name}: ${open} … ${close}`);
  return `${text.slice(0, from)}${[open, ...lines].join('\n')}\n${text.slice(to)}`;
};

/** The page with its tables made anew. @param root of the repository */
export function regenerated(root: string): { readonly now: string; readonly ought: string; readonly path: string } {
  const path = join(root, 'docs', 'security.md');
  const now = readFileSync(path, 'utf8');
  return { path, now, ought: between(between(now, 'attacks', attackTable()), 'policies', policyTable(join(root, 'deploy'))) };
}

/** Writes the page. @returns whether it was stale */
export function write(root: string): boolean {
  const { now, ought, path } = regenerated(root);
  if (now !== ought) writeFileSync(path, ought);
  return now !== ought;
}
