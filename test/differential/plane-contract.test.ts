import { join } from 'node:path';
import { deployDirectory } from '../../devplane/package-files';
import { admin, startPlane } from '../../devplane/plane';
import { connect } from '../../sdk/client';
import { describePlane } from '../../sdk/client/testing/plane-contract';

// Kubernetes itself is held against the development plane by the other suites of this folder.
describePlane('the development plane', async () => {
  const server = await startPlane({ crds: join(deployDirectory(), 'crds'), log: () => undefined });
  const plane = await connect({ host: server.url, clusterCaCertificate: server.ca, token: server.token(admin.name), env: {} });
  return {
    plane,
    close: async () => {
      plane.close();
      await server.stop();
    },
  };
});
