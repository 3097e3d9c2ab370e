import { connect } from '../../sdk/client/connect';
import { ConnectionError, type ConnectOptions } from '../../sdk/client/connect-options';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { processTimers, type Timers } from '../../sdk/client/timers';
import { UNKNOWN, type Maybe } from '../../sdk/rules/unknown';
import { Facts } from '../core/facts';
import { Run } from '../core/run';
import { TERRAFORM } from '../core/wording';
import { classDataSource } from './data-sources/class-data-source';
import { leaseDataSource } from './data-sources/lease-data-source';
import { leasesDataSource } from './data-sources/leases-data-source';
import { errorAt, type Diagnostics } from './diagnostics';
import { parseLeaseId } from './functions/parse-lease-id';
import type { ProviderHandlers } from './handlers';
import { configSchema, connectOptionsOf, hasHoles, identityOf, type ConfigRow } from './provider-config';
import { instanceResource } from './resources/instance-resource';
import { leaseResource } from './resources/lease-resource';
import type { Session, Sessions } from './resources/session';
import { isUnknown } from './values/unknown';
import { noMarker, type WalkMarker } from './walk/walk-marker';

/** What the provider rests on. */
export interface ProviderParts {
  /** Tells the processes of one terraform command from each other. Default: nothing is known of them. */
  readonly marker?: WalkMarker;
  readonly connect?: (options: ConnectOptions) => Promise<ControlPlane>;
  readonly timers?: Timers;
}

class Provider implements Sessions {
  private session: Session | undefined;
  private readonly marker: WalkMarker;

  constructor(private readonly parts: ProviderParts) {
    this.marker = parts.marker ?? noMarker;
  }

  current(): Session {
    if (this.session === undefined) throw new Error('the provider was called before it was configured');
    return this.session;
  }

  validating(): void {
    if (this.session === undefined) this.marker.validated();
  }

  async configure(config: ConfigRow): Promise<Diagnostics> {
    const walk = this.marker.configured(identityOf(config));
    this.session?.core.plane?.close();
    try {
      const plane = hasHoles(config) ? null : await (this.parts.connect ?? connect)(connectOptionsOf(config));
      this.session = {
        core: { plane, facts: new Facts(plane), run: new Run(() => walk, 'ahead', () => this.marker.isAlone()), timers: this.parts.timers ?? processTimers, wording: TERRAFORM },
        namespace: namespaceOf(config, plane),
      };
      return [];
    } catch (error) {
      if (error instanceof ConnectionError) return [unreachable(error)];
      throw error;
    }
  }
}

function namespaceOf(config: ConfigRow, plane: ControlPlane | null): Maybe<string> {
  if (isUnknown(config.namespace)) return UNKNOWN;
  return config.namespace ?? plane?.namespace ?? UNKNOWN;
}

function unreachable({ message, argument }: ConnectionError): Diagnostics[number] {
  return errorAt(argument === undefined ? [] : [argument], 'NotConnected: the provider does not know a control plane', `${message}. Set config_path (and config_context) to a kubeconfig, or host with token, client_certificate and client_key, or exec. Nothing was asked of any server.`);
}

/** MacRack as Terraform sees it. */
export function macrackProvider(parts: ProviderParts = {}): ProviderHandlers<typeof configSchema> {
  const provider = new Provider(parts);
  return {
    configSchema,
    configure: (config) => provider.configure(config),
    resources: {
      macrack_mac_node_lease: leaseResource(provider),
      macrack_macos_instance: instanceResource(provider),
    },
    dataSources: {
      macrack_mac_node_lease: leaseDataSource(provider),
      macrack_mac_node_leases: leasesDataSource(provider),
      macrack_mac_class: classDataSource(provider),
    },
    functions: { parse_lease_id: parseLeaseId },
    // Waits end by the signal of their call, and each leaves what it began in a known state.
    stop: () => undefined,
  };
}
