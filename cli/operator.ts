import pino from 'pino';
import { startOperatorProcess } from '../operator';
import type { OperatorOptions } from './operator-options';

type Ending = readonly [NodeJS.Signals, number];
// 128 + the number of the signal, as shells say it.
const ENDINGS: readonly Ending[] = [['SIGTERM', 143], ['SIGINT', 130]];

/** Resolves at the first signal; a second one ends the process at once. */
function untilAsked(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const [signal, code] of ENDINGS) {
      process.on(signal, () => {
        if (asked) process.exit(code);
        asked = true;
        resolve(signal);
      });
    }
  });
}

/** Runs one replica of the operator until it is asked to end. Resolves to the exit status. */
export async function operator(options: OperatorOptions): Promise<number> {
  const log = pino({ name: 'macrack-operator', level: options.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }));
  const asked = untilAsked();
  const running = await startOperatorProcess({
    connect: { configPath: options.kubeconfig }, auditFile: options.auditFile, metrics: options.metricsListen, namespace: options.namespace, identity: options.identity, log,
    webhooks: { ...options.webhookListen, names: options.webhookName ?? [], ...(options.webhookCaDir === undefined ? {} : { caDirectory: options.webhookCaDir }) },
  });
  log.info({ signal: await asked }, 'the operator ends');
  await running.stop();
  return 0;
}
