export type PlaneBinary = 'etcd' | 'kube-apiserver' | 'kube-scheduler' | 'kube-controller-manager' | 'kubectl';
export type PlaneBinaries = Readonly<Record<PlaneBinary, string>>;

/** The sentence says why a binary cannot be had. */
export class BuildFault extends Error {}
/** Paths of the binaries; undefined unless all are there. Builds nothing. */
export function tryFindPlane(): PlaneBinaries | undefined;
/** The same, built where absent. @throws BuildFault */
export function buildPlane(): PlaneBinaries;
