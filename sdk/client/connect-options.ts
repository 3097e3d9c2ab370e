/** Arguments of `connect`, as users know them from the Kubernetes provider of Terraform. */
export type ConnectArgument = 'config_path' | 'config_paths' | 'config_context' | 'exec' | 'host' | 'token' | 'cluster_ca_certificate' | 'client_certificate' | 'client_key';

/**
 * Where the API server is and who asks. Without `host` the kubeconfig answers: `configPath` or `configPaths`, else `$KUBECONFIG`, else
 * `~/.kube/config`, else the service account of the pod. With both, what is given here wins over the file.
 */
export interface ConnectOptions {
  /** Path of one kubeconfig file; `~` is the home directory. */
  readonly configPath?: string;
  /** Paths of kubeconfig files that are merged as kubectl merges them; instead of `configPath`. */
  readonly configPaths?: readonly string[];
  /** Text of a kubeconfig, in place of a file: a tool may keep one as a secret. Relative paths in it start at the working directory. */
  readonly configText?: string;
  /** Context of the kubeconfig; its `current-context` where left out. */
  readonly configContext?: string;
  /** URL of the API server. */
  readonly host?: string;
  /** Bearer token. Replaces every credential of the kubeconfig. */
  readonly token?: string;
  /** PEM text of the authorities that may have signed the server's certificate. */
  readonly clusterCaCertificate?: string;
  /** PEM text; goes with `clientKey`. Replaces every credential of the kubeconfig. */
  readonly clientCertificate?: string;
  /** PEM text. */
  readonly clientKey?: string;
  /** A program that prints credentials, as in the kubeconfig. Replaces every credential of the kubeconfig. */
  readonly exec?: ExecCredential;
  /** Longest time for one call with its retries, in milliseconds. Default 30 s. */
  readonly timeoutMs?: number;
  readonly watch?: WatchTiming;
  /** Where `KUBECONFIG`, `HOME` and the in-cluster variables are looked up. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A program that prints an ExecCredential of the Kubernetes API, such as `aws eks get-token`. It is asked again for new credentials. */
export interface ExecCredential {
  /** `client.authentication.k8s.io/v1` or `…/v1beta1`: what the program prints. */
  readonly apiVersion: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables on top of those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Times of supervised watches, in milliseconds. */
export interface WatchTiming {
  /** A watch without a word for so long is opened again. Default 60 s. */
  readonly quietMs?: number;
  /** First wait after a fault; doubles up to `longestBackOffMs`. Default 250 ms. */
  readonly backOffMs?: number;
  /** Default 30 s. */
  readonly longestBackOffMs?: number;
}

/** The options do not lead to an API server: nothing was asked of any. The message is for users and holds no secret. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(message: string, readonly argument?: ConnectArgument, options?: { cause?: unknown }) {
    super(message, options);
  }
}
