import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Operator, startOperator } from '../../../operator';
import { OPERATOR } from '../../../realplane/identities';
import { httpsAgentReader } from '../../../sdk/client';
import { connectAs, type Ground } from './ground';
import { PlaneProxy } from './plane-proxy';

const LOOPBACK = '127.0.0.1';

/** One operator, with everything that it says and hears passing a place where it can be stopped. */
export interface OperatorUnderTest {
  readonly proxy: PlaneProxy;
  readonly operator: Operator;
  /** As by kill -9: nothing that it does from now on has an effect. */
  kill(): Promise<void>;
}

export async function proxyFor(ground: Ground, user: string): Promise<PlaneProxy> {
  return PlaneProxy.open({ upstream: ground.url, ca: ground.ca, serving: await ground.serve({ dns: ['localhost'], ips: [LOOPBACK] }), identity: await ground.identify(user) });
}

export const auditFile = ({ directory }: Ground): string => join(directory, 'audit.sqlite');

/** Starts an operator on the plane's one audit record; the webhooks are its own from then on. */
export async function operate(ground: Ground, log: Logger): Promise<OperatorUnderTest> {
  const proxy = await proxyFor(ground, OPERATOR);
  const client = await connectAs(ground, OPERATOR, proxy.url);
  const agents = httpsAgentReader({ ca: ground.ca, ...await ground.identify(OPERATOR) });
  const operator = await startOperator({ plane: client, agents, timers: ground.timers, auditFile: auditFile(ground), admission: { host: LOOPBACK, port: 0 }, log });
  await ground.redirectWebhooks(operator.admissionOrigin, operator.caPem);
  const kill = async (): Promise<void> => {
    proxy.cut();
    client.close();
    await operator.stop();
    await proxy.close();
  };
  return { proxy, operator, kill };
}
