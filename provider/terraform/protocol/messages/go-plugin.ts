import type { PackageTable } from './descriptor';

/** The three services that go-plugin expects beside the provider's own. */
export const GO_PLUGIN: PackageTable = {
  name: 'plugin',
  enums: { Channel: ['INVALID', 'STDOUT', 'STDERR'] },
  messages: {},
  services: {
    GRPCController: { Shutdown: { request: {}, response: {} } },
    GRPCStdio: { StreamStdio: { request: {}, response: { channel: '1 Channel', data: '2 bytes' }, stream: 'response' } },
    GRPCBroker: {
      StartStream: {
        request: { service_id: '1 uint32', network: '2 string', address: '3 string' },
        response: { service_id: '1 uint32', network: '2 string', address: '3 string' },
        stream: 'both',
      },
    },
  },
};
