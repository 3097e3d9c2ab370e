import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ApiObject } from '../devplane/json';
import { readManifests } from '../devplane/manifests';
import { deployDirectory } from '../devplane/package-files';
import type { KeyPair } from '../devplane/server/certificates';
import { connect } from '../sdk/client';
import type { ControlPlane } from '../sdk/client/control-plane';
import { AdmissionFiles } from './admission-files';
import { findBinaries } from './binaries';
import { apiAuditFile, apiUrl, etcdUrl, type Layout } from './components';
import { EtcdStore } from './etcd-store';
import { ADMIN, createIdentities, type Identities } from './identities';
import { createAll, untilEstablished } from './manifest-objects';
import { endOrphans, planeDirectory } from './orphans';
import { type Ports, reservePorts } from './ports';
import { reloading } from './reload';
import { Servers } from './servers';

/** Folders of deploy/ that hold objects of the API. */
export type InstalledPart = 'crds' | 'rbac' | 'classes' | 'clock-policy';

export interface RealPlaneOptions {
  /** Default: the project's own. */
  readonly deploy?: string;
  /** Boots with the policies of deploy/ in files. Default true; without them a suite sees one layer alone. */
  readonly policies?: boolean;
  /** Writes the admission files of the boot in place of the policies of deploy/, below the directory that it is given. */
  readonly layAdmission?: (directory: string) => Promise<void>;
  /** What is created after the boot. Default: CRDs, RBAC, classes and the clock policy. */
  readonly install?: readonly InstalledPart[];
}

/** Kubernetes 1.37 in four processes on the loopback address, with the admission policies of deploy/ in files that no API user can touch. */
export interface RealPlane {
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
  /** PEM of the CA that signs the serving certificate and client certificates. */
  readonly ca: string;
  readonly directory: string;
  readonly servers: Servers;
  readonly admission: AdmissionFiles;
  readonly store: EtcdStore;
  /** JSON lines of the API server's own audit, one a request. */
  readonly apiAuditFile: string;
  /** Path of the kubectl of the same release. */
  readonly kubectl: string;
  /** Client certificate of any user. */
  readonly identify: (user: string) => Promise<KeyPair>;
  /** A new serving certificate of the plane's authority. */
  readonly serve: Identities['serve'];
  /** A client with the identity of any user, by certificate. The caller closes it. */
  readonly connectAs: (user: string) => Promise<ControlPlane>;
  kubeconfig(user: string, namespace?: string): Promise<string>;
  /** Creates objects as the administrator. */
  load(objects: readonly ApiObject[]): Promise<void>;
  /** Sends every admission webhook of deploy/ to this origin from now on. Before, none is called. @param ca PEM */
  redirectWebhooks(origin: string, ca: string): Promise<void>;
  stop(): Promise<void>;
}

const auditPolicy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] };

function write(directory: string, name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

async function layOut(directory: string, identities: Identities, { numbers }: Ports, admission: AdmissionFiles): Promise<Layout> {
  const [etcd = 0, peer = 0, api = 0, scheduler = 0, controllers = 0] = numbers;
  const kubeconfig = async (user: string) => write(directory, `${user.replace('system:', '')}.kubeconfig`, await identities.kubeconfig(`https://127.0.0.1:${api}`, user));
  return {
    directory, ports: { etcd, peer, api, scheduler, controllers }, files: identities.files, admission: admission.configuration,
    auditPolicy: write(directory, 'audit-policy.yaml', stringify(auditPolicy)),
    kubeconfigs: { scheduler: await kubeconfig('system:kube-scheduler'), controllers: await kubeconfig('system:kube-controller-manager') },
  };
}

async function install(deploy: string, parts: readonly InstalledPart[], connectAs: RealPlane['connectAs']): Promise<void> {
  const admin = await connectAs(ADMIN);
  try {
    await createAll(admin, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'macrack-system' } }]);
    for (const part of parts) {
      await createAll(admin, readManifests(join(deploy, part)));
      await untilEstablished(admin);
    }
  } finally {
    admin.close();
  }
}

/** Boots a plane on an empty store and installs MacRack. Nothing of it outlives `stop`. @throws Error with the end of a server's log */
export async function startRealPlane(options: RealPlaneOptions = {}): Promise<RealPlane> {
  const deploy = options.deploy ?? deployDirectory();
  endOrphans();
  const directory = planeDirectory();
  mkdirSync(join(directory, 'logs'));
  const ports = await reservePorts(5);
  let servers: Servers | undefined;
  const stop = async () => {
    await servers?.stop();
    ports.release();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const identities = await createIdentities(directory);
    const admission = new AdmissionFiles(join(directory, 'admission'), deploy);
    if (options.layAdmission !== undefined) await options.layAdmission(admission.directory);
    else if (options.policies !== false) admission.writePolicies();
    const layout = await layOut(directory, identities, ports, admission);
    const { certificate: cert, key } = await identities.identify(ADMIN);
    servers = new Servers(layout, { ca: identities.ca, cert, key });
    await servers.boot();
    const plane = realPlane(layout, identities, admission, servers, stop);
    await install(deploy, options.install ?? ['crds', 'rbac', 'classes', 'clock-policy'], plane.connectAs);
    return plane;
  } catch (error) {
    await stop();
    throw error;
  }
}

function realPlane(layout: Layout, identities: Identities, admission: AdmissionFiles, servers: Servers, stop: () => Promise<void>): RealPlane {
  const { ca, identify, serve } = identities;
  const url = apiUrl(layout);
  const connectAs = async (user: string): Promise<ControlPlane> => {
    const { certificate, key } = await identify(user);
    return connect({ host: url, clusterCaCertificate: ca, clientCertificate: certificate, clientKey: key, env: {} });
  };
  return {
    url, ca, directory: layout.directory, servers, admission, store: new EtcdStore(etcdUrl(layout)), apiAuditFile: apiAuditFile(layout),
    kubectl: findBinaries().kubectl, identify, serve, connectAs, stop,
    kubeconfig: (user, namespace) => identities.kubeconfig(url, user, namespace),
    load: async (objects) => {
      const admin = await connectAs(ADMIN);
      await createAll(admin, objects).finally(() => admin.close());
    },
    redirectWebhooks: (origin, pem) => reloading(servers.get('kube-apiserver'), ['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook'], () => admission.writeWebhooks(origin, pem)),
  };
}
