import { TerraformResource } from 'cdktf';
import { checkInstance } from '../../../provider/core/instance-check';
import { checkLease } from '../../../provider/core/lease-check';
import { UNKNOWN } from '../../../sdk/rules/unknown';
import type { Findings } from '../../../provider/core/finding';
import { checkTimeouts } from '../../../provider/core/timeouts';
import { readNumber, readObject, readRequired, readText } from './reading';
import type { Subject } from './subject';
import { typeFaults } from './type-faults';
import { CONSTRUCTS, inWords } from './wording';

type Row = Readonly<Record<string, unknown>>;

function leaseFindings(row: Row): Findings {
  const { namespace, name, serial, minimumDuration, onEarlyRelease } = row;
  return checkLease({
    namespace: readText(namespace), name: readRequired(name), class: readRequired(row.class), serial: readText(serial),
    minimumDuration: readText(minimumDuration), onEarlyRelease: readText(onEarlyRelease),
  });
}

function instanceFindings({ namespace, name, lease, image, shape }: Row): Findings {
  const sizes = readObject(shape);
  return checkInstance({
    namespace: readText(namespace), name: readRequired(name), lease: readRequired(lease), image: readRequired(image),
    shape: sizes === undefined ? UNKNOWN : { cpu: readNumber(sizes.cpu), memory: readRequired(sizes.memory), disk: readRequired(sizes.disk) },
  }, CONSTRUCTS);
}

function timeoutFindings({ timeouts }: Row): Findings {
  const { create, update, delete: remove } = readObject(timeouts) ?? {};
  return checkTimeouts({ create: readText(create), update: readText(update), delete: readText(remove) });
}

const CHECKS: Readonly<Record<string, (row: Row) => Findings>> = {
  macrack_mac_node_lease: (row) => [...leaseFindings(row), ...timeoutFindings(row)],
  macrack_macos_instance: (row) => [...instanceFindings(row), ...timeoutFindings(row)],
};

/** What is wrong with a subject by itself, all of it; what only the plan knows is left to it. */
export function faultsOfInputs({ element, kind, type, inputs }: Subject): string[] {
  const row = inputs.written;
  const found = TerraformResource.isTerraformResource(element) ? CHECKS[type]?.(row) ?? [] : [];
  return [...typeFaults(kind, inputs.table, row, inputs.unknown), ...found.map(inWords)];
}
