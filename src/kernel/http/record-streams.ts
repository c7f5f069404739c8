import { Injectable, Logger, StreamableFile, type OnModuleDestroy } from '@nestjs/common';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Times of a stream of events; tests provide shorter ones. */
export class EventTimings {
  /** Pause between two looks at the record. */
  pollMs = 500;
  /** After so long without anything to tell a comment keeps the connection alive. */
  heartbeatMs = 15_000;
  /** The client connects again after so long, and shows its credentials again. */
  maxMs = 30 * 60_000;
}

const EVENT_STREAM = { type: 'text/event-stream' } as const;

/** What a stream shows: a record, and the word with which it ends once nothing more will change. */
export interface Watched {
  readonly record: object;
  /** Null while it may still change. */
  readonly end: string | null;
}

/** Streams of server-sent events that show a record until nothing more will change: the record whenever it has changed, then `event: end`. */
@Injectable()
export class RecordStreams implements OnModuleDestroy {
  private readonly logger = new Logger(RecordStreams.name);
  private readonly open = new Set<PassThrough>();

  constructor(private readonly timings: EventTimings) {}

  /** The stream of what `read` reads; `method` is that of the request. @throws what the first `read` throws, such as 404 */
  async stream(method: string, read: () => Promise<Watched>): Promise<StreamableFile> {
    const first = await read();
    const stream = new PassThrough();
    // HEAD asks for nothing that it would have to wait for.
    if (method === 'HEAD') return new StreamableFile(stream.end(), EVENT_STREAM);
    this.open.add(stream);
    stream.once('close', () => this.open.delete(stream));
    this.feed(stream, first, read).catch((error: unknown) => {
      // The client sees the connection end, and comes back.
      if (!stream.destroyed) this.logger.warn(`A stream of events has ended early: ${String(error)}`);
      stream.destroy();
    });
    return new StreamableFile(stream, EVENT_STREAM);
  }

  /** A server that stops waits for its answers to end: these would not. */
  onModuleDestroy(): void {
    for (const stream of this.open) stream.end();
  }

  private async feed(stream: PassThrough, first: Watched, read: () => Promise<Watched>): Promise<void> {
    const closed = new AbortController();
    stream.once('close', () => closed.abort());
    const end = Date.now() + this.timings.maxMs;
    let told = '';
    let toldAt = 0;
    for (let watched = first; ; watched = await read()) {
      const text = JSON.stringify(watched.record);
      const isNew = text !== told;
      if (isNew || Date.now() - toldAt >= this.timings.heartbeatMs) {
        await write(stream, isNew ? `data: ${text}\n\n` : ': still there\n\n', closed.signal);
        told = text;
        toldAt = Date.now();
      }
      if (watched.end !== null) await write(stream, `event: end\ndata: ${watched.end}\n\n`, closed.signal);
      if (watched.end !== null || Date.now() >= end) break;
      await sleep(this.timings.pollMs, undefined, { signal: closed.signal });
      if (stream.writableEnded) return;
    }
    stream.end();
  }
}

/** A client that reads slowly is waited for. */
async function write(stream: PassThrough, text: string, signal: AbortSignal): Promise<void> {
  if (!stream.writableEnded && !stream.write(text)) await once(stream, 'drain', { signal });
}
