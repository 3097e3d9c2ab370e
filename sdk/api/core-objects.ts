import type { KubeObject } from './object';
import type { StatusCondition } from './condition';

export interface NodeTaint { key: string; value?: string; effect: string }
export interface NodeSpec { taints?: NodeTaint[]; unschedulable?: boolean }
export interface NodeStatus { capacity?: Record<string, string>; allocatable?: Record<string, string>; conditions?: StatusCondition[]; nodeInfo?: Record<string, string> }

export interface Toleration { key?: string; operator?: string; value?: string; effect?: string; tolerationSeconds?: number }
export interface Container { name: string; image: string; resources?: { limits?: Record<string, string>; requests?: Record<string, string> } }
export interface PodSpec {
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
  containers: Container[];
  restartPolicy?: string;
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
  schedulerName?: string;
  priority?: number;
}
export interface PodStatus { phase?: string; reason?: string; message?: string; podIP?: string; startTime?: string; conditions?: Partial<StatusCondition>[] }

/** The kinds of Kubernetes itself that this project reads or writes. */
export type Node = KubeObject<NodeSpec, NodeStatus>;
export type Pod = KubeObject<PodSpec, PodStatus>;
export type Namespace = KubeObject<Record<string, unknown>, { phase?: string }>;
export type CoordinationLease = KubeObject<{ holderIdentity?: string; leaseDurationSeconds?: number; acquireTime?: string; renewTime?: string; leaseTransitions?: number }>;
export type KubeEvent = KubeObject;

/** `request` and `certificate` are PEM in base64; the server stamps who asks. */
export interface CertificateSigningRequestSpec { request: string; signerName: string; usages?: string[]; username?: string; groups?: string[]; expirationSeconds?: number }
export interface CertificateSigningRequestStatus { conditions?: Partial<StatusCondition>[]; certificate?: string }
export type CertificateSigningRequest = KubeObject<CertificateSigningRequestSpec, CertificateSigningRequestStatus>;

/** Values of `data` are base64. */
export type Secret = KubeObject & { type?: string; data?: Record<string, string> };
