import { CLASSES } from '../../../sdk/api/phases';
import { essentialFault } from '../../core/fault-findings';
import { failure } from '../../core/finding';
import type { DataSourceHandler } from '../handlers';
import { toDiagnostics } from '../resources/finding-diagnostics';
import type { Sessions } from '../resources/session';
import { computed, required } from '../schema/attributes';
import { schema } from '../schema/schema';
import { number, string } from '../schema/types';

const classDataSchema = schema('A class of Macs: what one has, and how many are free. It names no tenant.', {
  id: computed(string, 'Name of the class.'),
  name: required(string, `${CLASSES.join(', ')}.`),
  cpu: computed(number, 'Cores of one Mac.'),
  memory: computed(string, 'Memory of one Mac.'),
  disk: computed(string, 'Disk of one Mac.'),
  total: computed(number, 'Macs of the class.'),
  unleased: computed(number, 'Macs that can be leased now.'),
  leased: computed(number, 'Macs that are leased, Held ones included.'),
  held: computed(number, 'Macs that are Held.'),
  next_release_at: computed(string, 'When the next of the Macs that are Held or being released comes free, rounded up to the hour, RFC 3339; null where none is.'),
});

/** Reads one class. */
export function classDataSource(sessions: Sessions): DataSourceHandler<typeof classDataSchema> {
  return {
    schema: classDataSchema,
    async read({ name }) {
      const look = await sessions.current().core.facts.classes();
      if (!look.seen) return { state: null, diagnostics: toDiagnostics([essentialFault(look.error, 'list classes of Macs')]) };
      const found = look.value.find((c) => c.metadata.name === name);
      if (found === undefined) {
        const names = look.value.map((c) => c.metadata.name).sort().join(', ') || 'none';
        return { state: null, diagnostics: toDiagnostics([failure('InvalidValue', 'name', `there is no class ${JSON.stringify(name)}`, `Classes of Macs on this control plane: ${names}. Use one of them.`)]) };
      }
      const { cpu, memory, disk } = found.spec;
      const { total, unleased, leased, held, nextReleaseAt } = found.status ?? {};
      return { state: { id: name, name, cpu, memory, disk, total: total ?? null, unleased: unleased ?? null, leased: leased ?? null, held: held ?? null, next_release_at: nextReleaseAt ?? null } };
    },
  };
}
