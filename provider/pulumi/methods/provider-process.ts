import { CONFIG_NAMESPACE } from '../config';
import { engineLog, type EngineLog } from '../engine-log';
import { tryParseWithheld } from '../inputs/owner';
import type { Props } from '../props';
import { engineClient } from '../pulumi-modules';
import type { SessionParts } from '../session';
import { HeldSession, MethodError } from './held-session';
import { instanceMethods } from './instance-methods';
import { leaseMethods } from './lease-methods';
import type { Methods } from './methods';
import type { Checked } from './outcome';
import type { Difference } from './difference';

/** A dynamic provider as the engine's host calls it. */
export interface ResourceProvider {
  configure(request: { readonly config: { get(key: string): string | undefined } }): void;
  check(olds: Props, news: Props): Promise<Checked>;
  diff(id: string, olds: Props, news: Props): Difference;
  create(inputs: Props): Promise<{ readonly id: string; readonly outs: Props }>;
  read(id: string, props: Props): Promise<{ readonly id: string; readonly props: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ readonly outs: Props }>;
  delete(id: string, props: Props): Promise<void>;
}

/** `__provider` is the engine's own: the text that calls this module. */
function own({ __provider: _text, ...props }: Props): Props {
  return props;
}

async function refused(held: HeldSession, news: Props, check: (session: Awaited<ReturnType<HeldSession['get']>>) => Promise<Checked>): Promise<Checked> {
  const why = tryParseWithheld(news.owner);
  if (why !== undefined) return { inputs: news, failures: [{ property: '', reason: why }] };
  try {
    return await check(await held.get());
  } catch (error) {
    if (error instanceof MethodError) return { inputs: news, failures: [{ property: '', reason: error.message }] };
    throw error;
  }
}

function providerOf(held: HeldSession, methods: Methods): ResourceProvider {
  return {
    configure: ({ config }) => held.configure((key) => config.get(`${CONFIG_NAMESPACE}:${key}`)),
    check: (olds, news) => refused(held, own(news), (session) => methods.check(session, own(olds), own(news))),
    diff: (_id, olds, news) => methods.diff(olds, news),
    create: async (inputs) => methods.create(await held.get(), own(inputs)),
    read: async (id, props) => methods.read(await held.get(), id, own(props)),
    update: async (_id, olds, news) => methods.update(await held.get(), own(olds), own(news)),
    delete: async (_id, props) => methods.delete(await held.get(), own(props)),
  };
}

/** The engine's address is the one argument of the provider process. Without it (a test), nothing is logged. */
function logOfProcess(address: string | undefined): EngineLog {
  let client: ReturnType<typeof engineClient> | undefined;
  return engineLog(() => (address !== undefined && /:\d+$/.test(address) ? client ??= engineClient(address) : undefined));
}

/** Both resources of one provider process. They share a session: what one declares, the other judges. */
export function providers(parts: SessionParts = {}, log: EngineLog = logOfProcess(process.argv[2])): { readonly lease: ResourceProvider; readonly instance: ResourceProvider } {
  const held = new HeldSession(parts);
  return { lease: providerOf(held, leaseMethods(log)), instance: providerOf(held, instanceMethods(log)) };
}
