import { ConnectionError, type ConnectOptions } from '../../sdk/client/connect-options';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { leaseObject } from '../core/testing/scene';
import { MemoryPlane } from '../../sdk/client/testing/memory/memory-plane';
import type { Walk } from '../core/run';
import type { CallContext, ResourceHandler } from './handlers';
import type { ConfigRow } from './provider-config';
import { macrackProvider, type ProviderParts } from './provider';
import { UNKNOWN, isUnknown } from './values/unknown';

const ctx: CallContext = {
  inFlight: { working: 0, waiting: 0, quiet: () => Promise.resolve('quiet') } as never,
  signal: new AbortController().signal,
  log: () => undefined,
};
const config = (over: Partial<ConfigRow> = {}): ConfigRow =>
  ({ config_path: null, config_paths: null, config_context: null, host: null, token: null, cluster_ca_certificate: null, client_certificate: null, client_key: null, exec: null, namespace: null, ...over });

function start(parts: ProviderParts = {}) {
  const asked: ConnectOptions[] = [];
  const plane = new MemoryPlane();
  const connect = (options: ConnectOptions): Promise<ControlPlane> => { asked.push(options); return Promise.resolve(plane); };
  const handlers = macrackProvider({ connect, ...parts });
  const configure = (over: Partial<ConfigRow> = {}) => handlers.configure(config(over), { terraformVersion: '1.11.4' }, ctx);
  return { asked, plane, handlers, configure, lease: handlers.resources['macrack_mac_node_lease'] as ResourceHandler };
}

const leaseRow = (lease: ResourceHandler, over: object = {}) =>
  ({ ...Object.fromEntries(Object.keys(lease.schema.attributes).map((name) => [name, null])), name: 'l1', class: 'base', ...over }) as never;

describe('the provider', () => {
  it('hands its arguments to the client as the Kubernetes provider names them', async () => {
    const { asked, configure } = start();
    expect(await configure({ host: 'https://10.0.0.1', token: 't', cluster_ca_certificate: 'ca' })).toEqual([]);
    expect(asked).toEqual([{ host: 'https://10.0.0.1', token: 't', clusterCaCertificate: 'ca', timeoutMs: 15_000 }]);
  });

  it('points at the argument that leads nowhere', async () => {
    const { configure } = start({ connect: () => Promise.reject(new ConnectionError('kubeconfig /x does not exist', 'config_path')) });
    const [diagnostic] = await configure({ config_path: '/x' });
    expect(diagnostic).toMatchObject({ severity: 'error', path: ['config_path'] });
    expect(diagnostic?.detail).toContain('kubeconfig /x does not exist. Set config_path');
  });

  it('takes the namespace from its configuration, then from the kubeconfig', async () => {
    for (const [given, expected] of [['team-b', 'team-b/l1'], [null, 'team-a/l1']] as const) {
      const { configure, lease } = start();
      await configure({ namespace: given });
      const { planned } = await lease.plan({ prior: null, config: leaseRow(lease), proposed: leaseRow(lease), private: '' }, ctx);
      expect(planned?.['id']).toBe(expected);
    }
  });

  it('plans without a control plane whose address is not known yet, checks nothing, says so, and destroys nothing', async () => {
    const { asked, configure, lease } = start();
    await configure({ host: UNKNOWN, namespace: 'team-a' });
    expect(asked).toEqual([]);
    const plan = await lease.plan({ prior: null, config: leaseRow(lease), proposed: leaseRow(lease), private: '' }, ctx);
    expect(plan.diagnostics?.map((d) => d.severity)).not.toContain('error');
    expect(plan.diagnostics?.map((d) => d.summary)).toContain('NotChecked: the control plane cannot be asked');
    expect(isUnknown(plan.planned?.['phase'])).toBe(true);
    const destroy = await lease.plan({ prior: leaseRow(lease, { namespace: 'team-a', name: 'other', uid: 'u' }), config: null, proposed: null, private: '' }, ctx);
    expect(destroy.diagnostics?.[0]).toMatchObject({ severity: 'error', summary: expect.stringContaining('NotChecked') as string });
  });

  it('remembers nothing of a run when it is configured for the next', async () => {
    const { configure, lease, plane } = start();
    plane.put(leaseObject('old', { phase: 'Held' }));
    const warnings = async () => {
      await configure();
      const plan = await lease.plan({ prior: null, config: leaseRow(lease), proposed: leaseRow(lease), private: '' }, ctx);
      return plan.diagnostics?.map((d) => d.summary.split(':')[0]);
    };
    const first = await warnings();
    expect(first).toContain('Held');
    expect(await warnings()).toEqual(first);
  });

  it('repeats no warning in the process that applies', async () => {
    for (const [walk, expected] of [['preview', true], ['apply', false]] as const) {
      const marker = { validated: () => undefined, isAlone: () => true, configured: (): Walk => walk };
      const { configure, lease, plane } = start({ marker });
      plane.put(leaseObject('old', { phase: 'Held' }));
      await configure();
      const { diagnostics } = await lease.plan({ prior: null, config: leaseRow(lease), proposed: leaseRow(lease), private: '' }, ctx);
      expect((diagnostics ?? []).length > 0).toBe(expected);
    }
  });

  it('marks a validation only before it is configured', async () => {
    const validated = jest.fn();
    const { configure, lease } = start({ marker: { validated, isAlone: () => true, configured: () => 'unknown' } });
    await lease.validate?.(leaseRow(lease), ctx);
    await configure();
    await lease.validate?.(leaseRow(lease), ctx);
    expect(validated).toHaveBeenCalledTimes(1);
  });

  it('serves the types and data sources under their names', () => {
    const { handlers } = start();
    expect(Object.keys(handlers.resources)).toEqual(['macrack_mac_node_lease', 'macrack_macos_instance']);
    expect(Object.keys(handlers.dataSources)).toEqual(['macrack_mac_node_lease', 'macrack_mac_node_leases', 'macrack_mac_class']);
  });
});

describe('the data sources', () => {
  it('read one lease, list those of a phase or a class, and read a class', async () => {
    const { configure, handlers, plane } = start();
    plane.put(leaseObject('l1'));
    plane.put(leaseObject('l0', { phase: 'Held' }));
    await configure();
    const read = (type: string, row: object) => handlers.dataSources[type]?.read(row as never, ctx);
    expect((await read('macrack_mac_node_lease', { namespace: null, name: 'l1' }))?.state).toMatchObject({ id: 'team-a/l1', class: 'base', serial: null, phase: 'Bound', chassis: 'c02xyz' });
    expect((await read('macrack_mac_node_lease', { namespace: null, name: 'nope' }))?.diagnostics?.[0]?.summary).toMatch(/^LeaseNotFound/);
    expect((await read('macrack_mac_node_leases', { namespace: null, phase: 'Held', class: null }))?.state).toMatchObject({ namespace: 'team-a', leases: [{ id: 'team-a/l0' }] });
    expect((await read('macrack_mac_node_leases', { namespace: null, phase: null, class: 'base' }))?.state).toMatchObject({ class: 'base', leases: [{ id: 'team-a/l0' }, { id: 'team-a/l1' }] });
    expect((await read('macrack_mac_node_leases', { namespace: null, phase: null, class: 'pro' }))?.state).toMatchObject({ leases: [] });
    expect((await read('macrack_mac_class', { name: 'mini' }))?.diagnostics?.[0]?.summary).toMatch(/^InvalidValue/);
  });
});
