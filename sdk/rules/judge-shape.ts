import { ALLOWED, both, refuse, type Verdict } from './verdict';

/** Sizes in cores and bytes. */
export interface Sizes {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
}

/** What the sizes of a lease's instances are judged on. */
export interface ShapeFacts {
  readonly lease: string;
  readonly class: string;
  /** What one chassis of the class has. */
  readonly chassis: Sizes;
  /** Shapes of all instances of the lease that stay or are asked for, stopped ones included: they keep their disk and their slot. */
  readonly shapes: readonly Sizes[];
}

const UNITS: readonly (readonly [string, number])[] = [['Ti', 2 ** 40], ['Gi', 2 ** 30], ['Mi', 2 ** 20], ['Ki', 2 ** 10]];

/** Prints bytes in the largest binary unit that divides them. */
function showBytes(bytes: number): string {
  const unit = UNITS.find(([, size]) => bytes % size === 0);
  return unit === undefined ? String(bytes) : `${bytes / unit[1]}${unit[0]}`;
}

const show = (dimension: keyof Sizes, value: number): string => (dimension === 'cpu' ? `${value} cores` : showBytes(value));

function judgeDimension(facts: ShapeFacts, dimension: keyof Sizes): Verdict {
  const sum = facts.shapes.reduce((total, shape) => total + shape[dimension], 0);
  const has = facts.chassis[dimension];
  if (sum <= has) return ALLOWED;
  return refuse('ShapeTooLarge', `shape.${dimension}`, `The ${facts.shapes.length} instance(s) of lease ${facts.lease} ask for ${show(dimension, sum)} of ${dimension} together, and a chassis of class ${facts.class} has ${show(dimension, has)}. `
    + 'Both instances share one Mac for as long as they exist. Ask for less, or lease a larger class.');
}

/** The sum of a lease's shapes must fit its chassis. */
export function judgeShape(facts: ShapeFacts): Verdict {
  return both(judgeDimension(facts, 'cpu'), judgeDimension(facts, 'memory'), judgeDimension(facts, 'disk'));
}
