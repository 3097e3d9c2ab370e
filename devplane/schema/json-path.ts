import type { Json } from '../json';
import { isRecord } from '../json';

type Step = (values: Json[]) => Json[];

const present = (value: Json | undefined): Json[] => (value === undefined ? [] : [value]);
const member = (name: string): Step => (values) => values.flatMap((value) => (isRecord(value) ? present(value[name]) : []));
const elements: Step = (values) => values.flatMap((value) => (Array.isArray(value) ? value : isRecord(value) ? (Object.values(value) as Json[]) : []));
const element = (index: number): Step => (values) => values.flatMap((value) => (Array.isArray(value) ? present(value.at(index)) : []));
const where = (path: string, literal: string): Step => {
  const inner = compile(path);
  return (values) => elements(values).filter((item) => inner(item).some((found) => typeof found !== 'object' && String(found) === literal));
};

const grammar: [RegExp, (match: RegExpExecArray) => Step][] = [
  [/^\.?\[\?\(@(\.[^=<>!]+?)\s*==\s*["']?([^"']*?)["']?\)\]/, (match) => where(match[1] ?? '', match[2] ?? '')],
  [/^\.?\['((?:[^'\\]|\\.)+)'\]/, (match) => member((match[1] ?? '').replaceAll('\\', ''))],
  [/^\.?\[\*\]/, () => elements],
  [/^\.?\[(-?\d+)\]/, (match) => element(Number(match[1]))],
  [/^\.((?:[^.[\]\\]|\\.)+)/, (match) => member((match[1] ?? '').replaceAll('\\', ''))],
];

/** The subset of kubectl's JSONPath that printer columns use. @throws Error for any other expression. */
export function compile(path: string): (value: Json) => Json[] {
  const steps: Step[] = [];
  for (let rest = path; rest; ) {
    const found = grammar.map(([pattern, make]) => ({ match: pattern.exec(rest), make })).find(({ match }) => match);
    if (!found?.match) throw new Error(`the development plane does not understand the JSONPath ${path}`);
    steps.push(found.make(found.match));
    rest = rest.slice(found.match[0].length);
  }
  return (value) => steps.reduce((values, step) => step(values), [value]);
}
