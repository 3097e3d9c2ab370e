import { type CustomResourceOptions, dynamic, type ID, type Input, type Output } from '@pulumi/pulumi';
import { MacNodeLease, type Timeouts } from './mac-node-lease';
import { checkUnderMocks } from './mocked-checks';
import { instanceOptions } from './options';
import { register } from './registration';
import { instanceProvider } from './shims';

const MODULE = 'macrack';
const KIND = 'MacOSInstance';
const TYPE = `pulumi-nodejs:dynamic/${MODULE}:${KIND}`;

/** Size of a virtual machine. The sizes of the instances of a lease together must fit its Mac. */
export interface Shape {
  /** Whole cores. */
  readonly cpu: Input<number>;
  /** For example "8Gi"; compared by value. */
  readonly memory: Input<string>;
  /** For example "100Gi". */
  readonly disk: Input<string>;
}

/** What a program says of an instance. A change of all but `running`, `awaitIp` and `timeouts` replaces it, delete first. */
export interface MacOSInstanceArgs {
  /** The lease itself, or its "namespace/name": what is known in a preview. Never its `id` or `uid`, which are not. */
  readonly lease: MacNodeLease | Input<string>;
  /** OCI reference of the image. */
  readonly image: Input<string>;
  readonly shape: Input<Shape>;
  /** DNS label of at most 58 characters. Default: the name of the resource. */
  readonly name?: Input<string>;
  /** Default: that of the lease. Another one is another tenant, and refused. */
  readonly namespace?: Input<string>;
  /** False keeps slot and disk, and stops the machine. Default true. */
  readonly running?: Input<boolean>;
  /** A create also waits for an IP address. Default false. */
  readonly awaitIp?: Input<boolean>;
  readonly timeouts?: Input<Timeouts>;
}

const REPORTED = { uid: undefined, phase: undefined, reason: undefined, slot: undefined, node: undefined, machineId: undefined, mac: undefined, ip: undefined };
const INPUTS = { name: undefined, namespace: undefined, lease: undefined, image: undefined, shape: undefined, running: undefined };

/** A macOS virtual machine on a leased Mac; a Mac takes two (Apple's licence, section 2B(iii)). */
export class MacOSInstance extends dynamic.Resource {
  declare readonly name: Output<string>;
  declare readonly namespace: Output<string>;
  declare readonly lease: Output<string>;
  declare readonly image: Output<string>;
  declare readonly shape: Output<{ readonly cpu: number; readonly memory: string; readonly disk: string }>;
  declare readonly running: Output<boolean>;
  /** UID of the object on the control plane. */
  declare readonly uid: Output<string>;
  /** Pending, Starting, Running, Stopped, Failed or Unknown. */
  declare readonly phase: Output<string>;
  /** Why it failed. */
  declare readonly reason: Output<string | undefined>;
  declare readonly slot: Output<number | undefined>;
  /** Kubernetes node of the Mac. */
  declare readonly node: Output<string | undefined>;
  declare readonly machineId: Output<string | undefined>;
  declare readonly mac: Output<string | undefined>;
  declare readonly ip: Output<string | undefined>;

  constructor(name: string, args: MacOSInstanceArgs, opts?: CustomResourceOptions) {
    const isRead = opts?.id !== undefined;
    // JavaScript may leave the arguments out: what they lack is then said as of any others.
    const written = (args as MacOSInstanceArgs | null | undefined) ?? ({} as MacOSInstanceArgs);
    const lease = MacNodeLease.isLease(written.lease) ? written.lease : undefined;
    const given: Readonly<Record<string, unknown>> = isRead ? {} : { ...written, name: written.name ?? name, lease: lease?.leaseId ?? written.lease };
    checkUnderMocks('instance', given, lease);
    const registration = register('instance', TYPE, name, given, opts, lease);
    super(instanceProvider, name, { ...INPUTS, ...REPORTED, ...given, ...(isRead ? {} : { lease: registration.lease(given.lease) }), owner: registration.owner }, isRead ? opts : instanceOptions(opts), MODULE, KIND);
    registration.name(this);
  }

  /** Reads an instance that somebody else keeps. @param id "namespace/name" */
  static get(name: string, id: Input<ID>, opts?: CustomResourceOptions): MacOSInstance {
    return new MacOSInstance(name, {} as MacOSInstanceArgs, { ...opts, id });
  }
}
