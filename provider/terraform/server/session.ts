import type { DataSourceHandler, ProviderHandlers, ResourceHandler } from '../handlers';
import type { Log } from '../protocol/log';
import { CallCounter, type SettleTimer } from '../../core/in-flight';

/** What all calls of one server share. */
export class Session {
  calls: CallCounter;
  private stopping = new AbortController();

  constructor(readonly handlers: ProviderHandlers, private readonly timer: SettleTimer, readonly log: Log) {
    this.calls = new CallCounter(timer);
  }

  /** Aborted when Terraform asks the provider to stop. */
  get stopSignal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Terraform was interrupted: waiting calls are let go, signals abort, and the handlers are told. */
  stop(): void {
    this.stopping.abort();
    this.calls.stop();
    this.handlers.stop();
  }

  /** A provider that is attached to, rather than started, serves one run after another: a stop ends only its own. */
  newRun(): void {
    if (!this.stopping.signal.aborted) return;
    this.stopping = new AbortController();
    this.calls = new CallCounter(this.timer);
  }

  resource(typeName: string): ResourceHandler {
    return this.handlers.resources[typeName] ?? unserved('resource type', typeName);
  }

  dataSource(typeName: string): DataSourceHandler {
    return this.handlers.dataSources[typeName] ?? unserved('data source', typeName);
  }
}

function unserved(kind: string, typeName: string): never {
  throw new Error(`this provider has no ${kind} "${typeName}"`);
}
