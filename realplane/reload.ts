import { until } from '../sdk/client/until';
import type { StaticPlugin } from './admission-files';
import type { ServerProcess } from './processes';

/** Plugin names as the API server's log has them, with what it counts at its start. */
const LOADED: Record<StaticPlugin, RegExp> = {
  ValidatingAdmissionPolicy: /"Loaded manifest-based admission policy configurations" plugin="ValidatingAdmissionPolicy" count=(\d+)/,
  MutatingAdmissionPolicy: /"Loaded manifest-based admission policy configurations" plugin="MutatingAdmissionPolicy" count=(\d+)/,
  ValidatingAdmissionWebhook: /"Loaded manifest-based webhook configurations" plugin="ValidatingAdmissionWebhook" configurations=(\d+)/,
  MutatingAdmissionWebhook: /"Loaded manifest-based webhook configurations" plugin="MutatingAdmissionWebhook" configurations=(\d+)/,
};

/** How many policies (or webhook configurations) the API server says it loaded at its start; undefined if it never said so. */
export function loadedAtStart(apiServer: ServerProcess, plugin: StaticPlugin): number | undefined {
  const found = LOADED[plugin].exec(apiServer.log());
  return found === null ? undefined : Number(found[1]);
}

const reloadsOf = (plugin: StaticPlugin, log: string): number => log.split('\n').filter((line) => /"reloaded (admission )?manifest config"/.test(line) && line.includes(`plugin="${plugin}"`)).length;

/** Changes files and waits until the API server says of each plugin that it has reloaded: it watches its directories, and polls every minute beside. The files must really change. */
export async function reloading(apiServer: ServerProcess, plugins: readonly StaticPlugin[], change: () => Promise<void> | void): Promise<void> {
  const before = plugins.map((plugin) => reloadsOf(plugin, apiServer.log()));
  await change();
  await until(`the API server has reloaded ${plugins.join(', ')}`, () => {
    apiServer.assertRuns();
    const log = apiServer.log();
    return Promise.resolve(plugins.every((plugin, i) => reloadsOf(plugin, log) > (before[i] ?? 0)) ? true : undefined);
  });
}
