/** Class names where the rule of the generators would say something else: `MacosInstance` is ours by hand. */
const CLASSES: Readonly<Record<string, string>> = { macrack_macos_instance: 'MacOSInstance' };

/** Attributes whose name a construct has already. */
const TAKEN: Readonly<Record<string, string>> = { node: 'nodeAttribute' };

export const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

export const pascal = (name: string): string => camel(`_${name}`);

/** `MacOSInstanceShape` is in `mac-os-instance-shape.ts`. */
export const fileOf = (className: string): string => className.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2').toLowerCase();

export function resourceClass(type: string): string {
  return CLASSES[type] ?? pascal(type.replace(/^macrack_/, ''));
}

export function dataSourceClass(type: string): string {
  return `Data${pascal(type)}`;
}

/** The name of the accessor of an attribute. */
export function accessor(attribute: string): string {
  const name = camel(attribute);
  return TAKEN[name] ?? name;
}
