import { Injectable, Logger, StreamableFile, type OnModuleDestroy } from '@nestjs/common';
import { PassThrough } from 'node:stream';
import { HttpError } from '../errors.js';
import { looks, writeEvent } from './looks.js';
import { enterStream } from './open-streams.js';
import { Readmission } from './readmission.js';
import type { ApiRequest } from '../request.js';
import { EventTimings } from './event-timings.js';

const EVENT_STREAM = { type: 'text/event-stream' } as const;

/** What a stream shows: a record, and its final event once nothing more will change. */
export interface Watched {
  readonly record: object;
  /** Null while it may still change. */
  readonly end: string | null;
}

/**
 * Streams of server-sent events that show a record until nothing more will change: the record after each
 * change, then `event: end`.
 */
@Injectable()
export class RecordStreams implements OnModuleDestroy {
  private readonly logger = new Logger(RecordStreams.name);
  private readonly open = new Set<PassThrough>();

  constructor(private readonly timings: EventTimings) {}

  /**
   * Returns the stream of what `read` reads, while the caller is authorized. @throws errors of the first
   * `read`, such as 404; 503 if the caller has too many streams
   */
  async stream(request: ApiRequest, read: () => Promise<Watched>): Promise<StreamableFile> {
    const first = await read();
    const stream = new PassThrough();
    // HEAD requests nothing that it would have to wait for.
    if (request.method === 'HEAD') return new StreamableFile(stream.end(), EVENT_STREAM);
    const leave = enterStream();
    this.open.add(stream);
    stream.once('close', () => {
      this.open.delete(stream);
      leave();
    });
    this.feed(stream, first, read, new Readmission(request, this.timings)).catch((error: unknown) => {
      // The client sees the connection end and reconnects; if no longer authorized, it gets the error then.
      if (!stream.destroyed && !isRefusal(error))
        this.logger.warn(`An event stream ended early: ${String(error)}`);
      stream.destroy();
      // An aborted stream does not end its response by itself.
      request.res?.destroy();
    });
    return new StreamableFile(stream, EVENT_STREAM);
  }

  /**
   * Ends the streams: on shutdown the server waits for open responses, and these would not end by themselves.
   */
  onModuleDestroy(): void {
    for (const stream of this.open) stream.end();
  }

  private async feed(
    stream: PassThrough,
    first: Watched,
    read: () => Promise<Watched>,
    readmission: Readmission,
  ): Promise<void> {
    const closed = new AbortController();
    for (const over of ['close', 'finish']) stream.once(over, () => closed.abort());
    const { pollMs: paceMs, maxMs, heartbeatMs } = this.timings;
    const { signal } = closed;
    let told = '';
    let toldAt = -Infinity;
    for await (const watched of looks(first, read, { readmission, paceMs, maxMs, signal })) {
      const text = JSON.stringify(watched.record);
      const isNew = text !== told;
      if (isNew || performance.now() - toldAt >= heartbeatMs) {
        await writeEvent(stream, isNew ? `data: ${text}\n\n` : ': still there\n\n', signal);
        told = text;
        toldAt = performance.now();
      }
      if (watched.end === null) continue;
      await writeEvent(stream, `event: end\ndata: ${watched.end}\n\n`, signal);
      break;
    }
    if (!stream.destroyed) stream.end();
  }
}

const isRefusal = (error: unknown): boolean => error instanceof HttpError && error.status < 500;
