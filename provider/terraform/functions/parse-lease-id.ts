import { checkName, checkNamespace } from '../../core/name-check';
import { tryParseId } from '../../core/object-id';
import type { FunctionHandler } from '../handlers';
import { computed } from '../schema/attributes';
import { object, string } from '../schema/types';

const PARTS = object({ namespace: computed(string, 'The tenant.'), name: computed(string, 'Name of the lease.') });

/** `provider::macrack::parse_lease_id`: the two parts of the id of a lease. */
export const parseLeaseId: FunctionHandler = {
  signature: {
    summary: 'Takes the id of a lease apart',
    description: 'Gives the namespace and the name of a lease by its id, "namespace/name". Fails where the text is no such id.',
    parameters: [{ name: 'id', type: string, description: 'Id of a lease: the attribute `id` of macrack_mac_node_lease, or `lease` of macrack_macos_instance.' }],
    returns: PARTS,
  },
  call([id]) {
    const parts = typeof id === 'string' ? tryParseId(id) : undefined;
    const isId = parts !== undefined && checkNamespace(parts.namespace).length === 0 && checkName(parts.name, 'lease').length === 0;
    return !isId ? { fault: `${JSON.stringify(id)} is no id of a lease, which is "namespace/name", for example "team-a/ci"`, argument: 0 } : { value: { ...parts } };
  },
};
