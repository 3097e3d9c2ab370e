import { parseQuantity } from '../resources/quantity';

const unit = /^[+-]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/;

/** Go's ParseDuration, which `format: duration` means; the looser forms that Kubernetes also takes (`1d`) are not accepted in CEL, so not here either. */
function isDuration(value: string): boolean {
  let rest = value;
  if (rest === '0') return true;
  do {
    const match = unit.exec(rest);
    if (!match || (rest !== value && /^[+-]/.test(rest))) return false;
    rest = rest.slice(match[0].length);
  } while (rest);
  return true;
}

const isDateTime = (value: string) => /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));

const judges: Record<string, (value: string) => boolean> = {
  duration: isDuration,
  'date-time': isDateTime,
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
  uuid: (value) => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value),
  ipv4: (value) => /^(\d{1,3}\.){3}\d{1,3}$/.test(value) && value.split('.').every((part) => Number(part) < 256),
  quantity: (value) => parseQuantity(value) !== undefined,
  byte: (value) => /^[A-Za-z0-9+/]*={0,2}$/.test(value),
};

/** Unknown formats are ignored, as Kubernetes does. */
export const isFormat = (value: string, format: string) => judges[format]?.(value) ?? true;
