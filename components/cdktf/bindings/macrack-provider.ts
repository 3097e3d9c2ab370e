// Generated from the provider's schema by components/emit; do not edit.
import type { Construct } from 'constructs';
import { type AttributeTable, optional, optionalBlock } from '../base/attributes';
import { MacrackProviderBase } from '../base/macrack-provider-base';
import { MACRACK_PROVIDER_EXEC, type MacrackProviderExec } from './macrack-provider-exec';

/** Leases whole Macs and runs macOS virtual machines on them, inside the limits of the licence. */
export interface MacrackProviderConfig {
  /** Client certificate as PEM text; goes with clientKey. Default: $KUBE_CLIENT_CERT_DATA. */
  readonly clientCertificate?: string;
  /** Key of the client certificate as PEM text. Default: $KUBE_CLIENT_KEY_DATA. */
  readonly clientKey?: string;
  /** Authorities that sign the server's certificate, as PEM text. Default: $KUBE_CLUSTER_CA_CERT_DATA. */
  readonly clusterCaCertificate?: string;
  /** Context of the kubeconfig. Default: $KUBE_CTX, then its current one. */
  readonly configContext?: string;
  /** Path of a kubeconfig. Default: $KUBE_CONFIG_PATH, then $KUBECONFIG, then ~/.kube/config. */
  readonly configPath?: string;
  /** Paths of kubeconfigs that are merged as kubectl merges them, instead of configPath. Default: $KUBE_CONFIG_PATHS. */
  readonly configPaths?: string[];
  /** A program that prints credentials, instead of token or clientCertificate. It is asked again when they expire. */
  readonly exec?: MacrackProviderExec;
  /** URL of the API server, instead of or over a kubeconfig. Default: $KUBE_HOST. */
  readonly host?: string;
  /** The tenant of leases that name none. Default: that of the kubeconfig's context. */
  readonly namespace?: string;
  /** Bearer token. Default: $KUBE_TOKEN. */
  readonly token?: string;
  /** Name of this configuration of the provider, where a stack has several. */
  readonly alias?: string;
}

const INPUTS: AttributeTable = {
  clientCertificate: optional('string'),
  clientKey: optional('string'),
  clusterCaCertificate: optional('string'),
  configContext: optional('string'),
  configPath: optional('string'),
  configPaths: optional({ list: 'string' }),
  exec: optionalBlock(MACRACK_PROVIDER_EXEC),
  host: optional('string'),
  namespace: optional('string'),
  token: optional('string'),
};

/** Leases whole Macs and runs macOS virtual machines on them, inside the limits of the licence. */
export class MacrackProvider extends MacrackProviderBase<MacrackProviderConfig> {
  static readonly tfResourceType = 'macrack';

  constructor(scope: Construct, id: string, config: MacrackProviderConfig = {}) {
    super(scope, id, INPUTS, config);
  }

  /** Client certificate as PEM text; goes with clientKey. Default: $KUBE_CLIENT_CERT_DATA. */
  get clientCertificate(): string | undefined {
    return this.inputs.get('clientCertificate');
  }

  set clientCertificate(value: string | undefined) {
    this.inputs.put('clientCertificate', value);
  }

  resetClientCertificate(): void {
    this.inputs.put('clientCertificate', undefined);
  }

  get clientCertificateInput(): string | undefined {
    return this.inputs.get('clientCertificate');
  }

  /** Key of the client certificate as PEM text. Default: $KUBE_CLIENT_KEY_DATA. */
  get clientKey(): string | undefined {
    return this.inputs.get('clientKey');
  }

  set clientKey(value: string | undefined) {
    this.inputs.put('clientKey', value);
  }

  resetClientKey(): void {
    this.inputs.put('clientKey', undefined);
  }

  get clientKeyInput(): string | undefined {
    return this.inputs.get('clientKey');
  }

  /** Authorities that sign the server's certificate, as PEM text. Default: $KUBE_CLUSTER_CA_CERT_DATA. */
  get clusterCaCertificate(): string | undefined {
    return this.inputs.get('clusterCaCertificate');
  }

  set clusterCaCertificate(value: string | undefined) {
    this.inputs.put('clusterCaCertificate', value);
  }

  resetClusterCaCertificate(): void {
    this.inputs.put('clusterCaCertificate', undefined);
  }

  get clusterCaCertificateInput(): string | undefined {
    return this.inputs.get('clusterCaCertificate');
  }

  /** Context of the kubeconfig. Default: $KUBE_CTX, then its current one. */
  get configContext(): string | undefined {
    return this.inputs.get('configContext');
  }

  set configContext(value: string | undefined) {
    this.inputs.put('configContext', value);
  }

  resetConfigContext(): void {
    this.inputs.put('configContext', undefined);
  }

  get configContextInput(): string | undefined {
    return this.inputs.get('configContext');
  }

  /** Path of a kubeconfig. Default: $KUBE_CONFIG_PATH, then $KUBECONFIG, then ~/.kube/config. */
  get configPath(): string | undefined {
    return this.inputs.get('configPath');
  }

  set configPath(value: string | undefined) {
    this.inputs.put('configPath', value);
  }

  resetConfigPath(): void {
    this.inputs.put('configPath', undefined);
  }

  get configPathInput(): string | undefined {
    return this.inputs.get('configPath');
  }

  /** Paths of kubeconfigs that are merged as kubectl merges them, instead of configPath. Default: $KUBE_CONFIG_PATHS. */
  get configPaths(): string[] | undefined {
    return this.inputs.get('configPaths');
  }

  set configPaths(value: string[] | undefined) {
    this.inputs.put('configPaths', value);
  }

  resetConfigPaths(): void {
    this.inputs.put('configPaths', undefined);
  }

  get configPathsInput(): string[] | undefined {
    return this.inputs.get('configPaths');
  }

  /** A program that prints credentials, instead of token or clientCertificate. It is asked again when they expire. */
  get exec(): MacrackProviderExec | undefined {
    return this.inputs.get('exec');
  }

  set exec(value: MacrackProviderExec | undefined) {
    this.inputs.put('exec', value);
  }

  resetExec(): void {
    this.inputs.put('exec', undefined);
  }

  get execInput(): MacrackProviderExec | undefined {
    return this.inputs.get('exec');
  }

  /** URL of the API server, instead of or over a kubeconfig. Default: $KUBE_HOST. */
  get host(): string | undefined {
    return this.inputs.get('host');
  }

  set host(value: string | undefined) {
    this.inputs.put('host', value);
  }

  resetHost(): void {
    this.inputs.put('host', undefined);
  }

  get hostInput(): string | undefined {
    return this.inputs.get('host');
  }

  /** The tenant of leases that name none. Default: that of the kubeconfig's context. */
  get namespace(): string | undefined {
    return this.inputs.get('namespace');
  }

  set namespace(value: string | undefined) {
    this.inputs.put('namespace', value);
  }

  resetNamespace(): void {
    this.inputs.put('namespace', undefined);
  }

  get namespaceInput(): string | undefined {
    return this.inputs.get('namespace');
  }

  /** Bearer token. Default: $KUBE_TOKEN. */
  get token(): string | undefined {
    return this.inputs.get('token');
  }

  set token(value: string | undefined) {
    this.inputs.put('token', value);
  }

  resetToken(): void {
    this.inputs.put('token', undefined);
  }

  get tokenInput(): string | undefined {
    return this.inputs.get('token');
  }
}
