import { join } from 'node:path';
import type { IdentityFiles } from './identities';

/** What the command lines are made of. */
export interface Layout {
  readonly directory: string;
  readonly ports: { readonly etcd: number; readonly peer: number; readonly api: number; readonly scheduler: number; readonly controllers: number };
  readonly files: IdentityFiles;
  readonly admission: string;
  readonly auditPolicy: string;
  /** Kubeconfig of each component. */
  readonly kubeconfigs: { readonly scheduler: string; readonly controllers: string };
}

/** Those that the project meets in a real cluster; the others want what a loopback plane has not. */
export const CONTROLLERS = [
  'namespace-controller', 'garbage-collector-controller', 'serviceaccount-controller', 'serviceaccount-token-controller', 'resourcequota-controller',
  'root-ca-certificate-publisher-controller', 'pod-garbage-collector-controller', 'node-lifecycle-controller', 'taint-eviction-controller',
  // Certificates of agents: what the operator has approved is signed here. The approving controller of Kubernetes is not among these.
  'certificatesigningrequest-signing-controller', 'certificatesigningrequest-cleaner-controller', 'token-cleaner-controller',
];

export const etcdUrl = ({ ports }: Layout): string => `http://127.0.0.1:${ports.etcd}`;
export const apiUrl = ({ ports }: Layout): string => `https://127.0.0.1:${ports.api}`;
export const apiAuditFile = ({ directory }: Layout): string => join(directory, 'api-audit.log');

// Without fsync a crash of the machine loses data, a crash of etcd does not.
export function etcdArguments(layout: Layout): string[] {
  const [client, peer] = [etcdUrl(layout), `http://127.0.0.1:${layout.ports.peer}`];
  return [
    '--name=default', `--data-dir=${join(layout.directory, 'etcd')}`, '--unsafe-no-fsync',
    `--listen-client-urls=${client}`, `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`, `--initial-cluster=default=${peer}`,
  ];
}

const serving = ({ files }: Layout, port: number): string[] => [
  '--bind-address=127.0.0.1', `--secure-port=${port}`, `--tls-cert-file=${files.certificate}`, `--tls-private-key-file=${files.key}`,
];

export function apiServerArguments(layout: Layout): string[] {
  const { files } = layout;
  return [
    ...serving(layout, layout.ports.api), '--advertise-address=127.0.0.1', `--etcd-servers=${etcdUrl(layout)}`, `--client-ca-file=${files.ca}`,
    '--service-account-issuer=https://kubernetes.default.svc', `--service-account-key-file=${files.serviceAccountPublic}`,
    `--service-account-signing-key-file=${files.serviceAccountPrivate}`, '--service-cluster-ip-range=10.0.0.0/24', '--allow-privileged=true',
    '--endpoint-reconciler-type=none', '--enable-bootstrap-token-auth=true', '--authorization-mode=Node,RBAC', '--enable-admission-plugins=NodeRestriction',
    `--admission-control-config-file=${layout.admission}`, `--audit-policy-file=${layout.auditPolicy}`, `--audit-log-path=${apiAuditFile(layout)}`,
  ];
}

function component(layout: Layout, port: number, kubeconfig: string): string[] {
  return [
    ...serving(layout, port), `--kubeconfig=${kubeconfig}`, `--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`,
    '--leader-elect=false', '--authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics',
  ];
}

export function schedulerArguments(layout: Layout): string[] {
  return component(layout, layout.ports.scheduler, layout.kubeconfigs.scheduler);
}

export function controllerManagerArguments(layout: Layout): string[] {
  return [
    ...component(layout, layout.ports.controllers, layout.kubeconfigs.controllers), '--use-service-account-credentials=true',
    `--service-account-private-key-file=${layout.files.serviceAccountPrivate}`, `--root-ca-file=${layout.files.ca}`,
    `--cluster-signing-cert-file=${layout.files.ca}`, `--cluster-signing-key-file=${layout.files.caKey}`, `--controllers=${CONTROLLERS.join(',')}`,
  ];
}
