import type { Kind, KubeObject, NewObject } from '../sdk/api/object';
import { Kinds } from '../sdk/api/kinds';
import type { PlaneName } from './world';

const configMap: Kind<KubeObject> = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/** What a plane stores with no webhook and no policy of ours in the way. The development plane serves no ConfigMap; a coordination Lease is its like. */
export const plainKind = (plane: PlaneName): Kind<KubeObject> => (plane === 'real' ? configMap : Kinds.CoordinationLease);

/** Its name in a row: ours are leases too. */
export const plainName = (plane: PlaneName): string => (plane === 'real' ? 'ConfigMap' : 'coordination Lease');

/** @param payload bytes beside the name, to be as large as something else */
export const plainObject = (namespace: string, name: string, payload = ''): NewObject => ({ metadata: { namespace, name, annotations: { payload } } });
