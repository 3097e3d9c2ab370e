import { type CustomResourceOptions, dynamic, type ID, type Input, type Output, Resource } from '@pulumi/pulumi';
import type { ClassName } from '../../../sdk/api/phases';
import type { OnEarlyRelease } from '../../../sdk/rules/judge-release';
import { checkUnderMocks, completedUnderMocks, rememberUnderMocks } from './mocked-checks';
import { leaseOptions } from './options';
import { register } from './registration';
import { leaseProvider } from './shims';
import { readStackConfig } from './stack-config';

const MODULE = 'macrack';
const KIND = 'MacNodeLease';
const TYPE = `pulumi-nodejs:dynamic/${MODULE}:${KIND}`;

/** Longest waits, for example "10m" or "1h30m". Default: create 10m, update 5m, delete 10m. */
export interface Timeouts {
  readonly create?: Input<string>;
  readonly update?: Input<string>;
  readonly delete?: Input<string>;
}

/** What a program says of a lease. */
export interface MacNodeLeaseArgs {
  /** base, pro or studio. A change replaces the lease, delete first, and is refused inside its floor. */
  readonly class: Input<ClassName>;
  /** DNS label of at most 58 characters. Default: the name of the resource. */
  readonly name?: Input<string>;
  /** The tenant. Default: `macrack:namespace`, else the namespace of the kubeconfig's context. */
  readonly namespace?: Input<string>;
  /** Pins one Mac by its serial number, in either case. Left out, the operator chooses. */
  readonly serial?: Input<string>;
  /** Shortest duration in whole hours, "24h" to "8760h". It can be raised, never lowered. Default "24h". */
  readonly minimumDuration?: Input<string>;
  /**
   * "refuse": a delete before the floor is refused in the preview. "hold": the lease becomes Held, and billed, until its floor. It counts
   * from what an update has stored, not from the program. Default "refuse".
   */
  readonly onEarlyRelease?: Input<OnEarlyRelease>;
  /** Takes over the lease of this name if there is one, Held or Bound. Its floor does not change. */
  readonly adopt?: Input<boolean>;
  readonly timeouts?: Input<Timeouts>;
  /**
   * Shows a phase that has changed outside as a difference, which counts as an update and trips `--expect-no-changes`. Default:
   * `macrack:statusInDiff`, else false: a Held lease is then shown by its warning alone.
   */
  readonly statusInDiff?: Input<boolean>;
}

/** Slots for virtual machines, as the Mac last reported. */
export interface Slots {
  /** Virtual machines that the Mac takes. */
  readonly total: number;
  readonly used: number;
  /** Virtual machines that its kernel counts and nobody runs. */
  readonly leaked: number;
}

const REPORTED = { uid: undefined, phase: undefined, chassis: undefined, node: undefined, boundAt: undefined, earliestReleaseAt: undefined, heldSince: undefined, slots: undefined };
const INPUTS = { name: undefined, namespace: undefined, class: undefined, serial: undefined, minimumDuration: undefined, onEarlyRelease: undefined, leaseId: undefined };

// JavaScript may leave the arguments out: what they lack is then said as of any others.
function defaults(name: string, written: MacNodeLeaseArgs | null | undefined): Readonly<Record<string, unknown>> {
  const args = written ?? ({} as MacNodeLeaseArgs);
  const statusInDiff = args.statusInDiff ?? (readStackConfig('statusInDiff') === 'true' ? true : undefined);
  return { ...args, name: args.name ?? name, ...(statusInDiff === undefined ? {} : { statusInDiff }) };
}

/** A whole Mac, dedicated to one tenant for at least 24 consecutive hours (Apple's licence, section 3A). */
export class MacNodeLease extends dynamic.Resource {
  /** "namespace/name", known in the preview. It is what an instance takes as `lease`. */
  declare readonly leaseId: Output<string>;
  declare readonly name: Output<string>;
  declare readonly namespace: Output<string>;
  declare readonly class: Output<ClassName>;
  declare readonly serial: Output<string | undefined>;
  declare readonly minimumDuration: Output<string>;
  declare readonly onEarlyRelease: Output<OnEarlyRelease>;
  /** UID of the object on the control plane. */
  declare readonly uid: Output<string>;
  /** Pending, Binding, Bound, Held, Releasing or Released. */
  declare readonly phase: Output<string>;
  /** Serial of the Mac that is bound, in lower case. */
  declare readonly chassis: Output<string | undefined>;
  /** Kubernetes node of the Mac. */
  declare readonly node: Output<string | undefined>;
  /** When the Mac was bound and the 24 hours began, RFC 3339. */
  declare readonly boundAt: Output<string | undefined>;
  /** End of the floor, RFC 3339. */
  declare readonly earliestReleaseAt: Output<string | undefined>;
  /** Since when the lease is Held, RFC 3339. */
  declare readonly heldSince: Output<string | undefined>;
  declare readonly slots: Output<Slots | undefined>;

  constructor(name: string, args: MacNodeLeaseArgs, opts?: CustomResourceOptions) {
    const isRead = opts?.id !== undefined;
    const given = isRead ? {} : defaults(name, args);
    checkUnderMocks('lease', given);
    const registration = register('lease', TYPE, name, given, opts);
    super(leaseProvider, name, { ...INPUTS, ...REPORTED, ...given, ...completedUnderMocks(given), owner: registration.owner }, isRead ? opts : leaseOptions(opts), MODULE, KIND);
    registration.name(this);
    rememberUnderMocks(this, given);
  }

  /** True for a lease of any copy of this package. */
  static isLease(value: unknown): value is MacNodeLease {
    return Resource.isInstance(value) && (value as unknown as { readonly __pulumiType?: string }).__pulumiType === TYPE;
  }

  /**
   * Reads a lease that somebody else keeps. It is not guarded against its release, since this program does not release it.
   * @param id "namespace/name"
   */
  static get(name: string, id: Input<ID>, opts?: CustomResourceOptions): MacNodeLease {
    return new MacNodeLease(name, {} as MacNodeLeaseArgs, { ...opts, id });
  }
}
