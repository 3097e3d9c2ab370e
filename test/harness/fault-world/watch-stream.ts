import type { IncomingMessage, ServerResponse } from 'node:http';
import { Gate } from './gate';

const GONE = `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410, message: 'too old resource version' } })}\n`;

/** The events of one watch on their way to the client, in order; behind a gate of their own. */
export class WatchStream {
  readonly gate = new Gate();

  constructor(readonly resource: string, private readonly upstream: IncomingMessage, private readonly answer: ServerResponse, private readonly outer: Gate) {}

  async run(): Promise<void> {
    this.answer.once('close', () => this.upstream.destroy());
    try {
      for await (const chunk of this.upstream as AsyncIterable<Buffer>) {
        await this.gate.passed();
        await this.outer.passed();
        if (!this.answer.writableEnded) this.answer.write(chunk);
      }
      this.answer.end();
    } catch {
      // As the API server's connection ends, so does the client's.
      this.answer.socket?.destroy();
    }
  }

  /** As after a compaction of the store. */
  expire(): void {
    this.answer.end(GONE);
    this.upstream.destroy();
    this.gate.open();
  }
}
