import { join } from 'node:path';
import { deployDirectory } from '../../devplane/package-files';
import { admin, startPlane } from '../../devplane/plane';
import { ADMIN } from '../../realplane/identities';
import { startRealPlane } from '../../realplane/real-plane';
import { connect } from '../../sdk/client';
import { describePlane } from '../../sdk/client/testing/plane-contract';
import { describeRealPlane } from '../harness/real-plane-suite';

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

describeRealPlane('Kubernetes itself', () => {
  describePlane('Kubernetes', async () => {
    const server = await startRealPlane({ policies: false, install: ['crds'] });
    const plane = await server.connectAs(ADMIN);
    return {
      plane,
      close: async () => {
        plane.close();
        await server.stop();
      },
    };
  });
});
