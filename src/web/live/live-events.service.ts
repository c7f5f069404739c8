import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { PageAnswer, setPageHeaders, writePage } from '#kernel/html/page-answer.js';
import { EventTimings } from '#kernel/http/streams/event-timings.js';
import { looks, writeEvent } from '#kernel/http/streams/looks.js';
import { enterStream } from '#kernel/http/streams/open-streams.js';
import { Readmission } from '#kernel/http/streams/readmission.js';
import type { ApiRequest } from '#kernel/http/request.js';
import type { LiveItem } from './live-item.js';

/** Interval between two queries. */
const PACE_MS = 500;

/** Limit of a connection's lifetime: the browser reconnects and is authenticated again. */
const MAX_MS = 50_000;

/**
 * Id of the event that says that nothing is in progress now. When a browser reconnects, it sends the last id
 * that it received: this shows whether it missed that event.
 */
const OVER = 'over';

/** Id of the beginning of a stream. */
const BEGUN = 'begun';

/** State sent to an open page. */
export interface Look {
  /** The items that the page shows. */
  readonly items: readonly LiveItem[];
  /** Whether anything is still in progress. */
  readonly isMoving: boolean;
  /** Notice about items that the page does not show yet; null if there are none. */
  readonly news: string | null;
}

/** Streams progress of items and notices about newer ones to open pages. */
@Injectable()
export class LiveEventsService implements OnModuleDestroy {
  private readonly open = new Set<AbortController>();

  constructor(private readonly timings: EventTimings) {}

  /**
   * Ends the streams: on shutdown the server waits for open responses, and these would not end by themselves.
   */
  onModuleDestroy(): void {
    for (const one of this.open) one.abort();
  }

  /**
   * Streams until nothing is in progress (and `until` has passed). If that is already so and the page knows it,
   * responds with 204, which tells browsers not to reconnect.
   * @throws errors of the first look; 503 if the caller has too many streams
   */
  async stream(response: Response, look: () => Promise<Look>, until: Date | null): Promise<void> {
    const over = new AbortController();
    this.open.add(over);
    response.once('close', () => {
      this.open.delete(over);
      over.abort();
    });
    const isWatched = ({ isMoving }: Look): boolean =>
      isMoving || (until !== null && until.getTime() > Date.now());
    const first = await look();
    // Once the client has left, `close` does not come again: its stream would count against the caller for good.
    if (response.destroyed) {
      this.open.delete(over);
      return;
    }
    const isTold = first.items.length === 0 || response.req.headers['last-event-id'] === OVER;
    if (!isWatched(first) && isTold) {
      writePage(response, new PageAnswer(204, null));
      return;
    }
    const readmission = new Readmission(response.req as ApiRequest, this.timings);
    const leave = enterStream();
    response.once('close', leave);
    begin(response);
    const { signal } = over;
    const maxMs = response.req.method === 'HEAD' ? 0 : MAX_MS;
    const told = new Map<string, string>();
    try {
      await writeEvent(response, idOnly(BEGUN), signal);
      for await (const found of looks(first, look, { readmission, paceMs: PACE_MS, maxMs, signal })) {
        for (const event of untold(told, found)) await writeEvent(response, event, signal);
        if (isWatched(found)) continue;
        await writeEvent(response, idOnly(OVER), signal);
        break;
      }
    } catch {
      // The response has already begun, so the browser gets the error when it reconnects.
    }
    response.end();
  }
}

function begin(response: Response): void {
  setPageHeaders(response);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // Proxies that buffer responses would otherwise hold back the whole stream.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
}

/** Browsers keep the id, and give the page no event. */
const idOnly = (id: string): string => `id: ${id}\n\n`;

/** Yields what has not been sent yet, as events. */
function* untold(told: Map<string, string>, { items, news }: Look): Generator<string, void, void> {
  const changes = items.map((item) => [`item ${item.id}`, 'move', item] as const);
  for (const [key, event, data] of news === null
    ? changes
    : [...changes, ['newer', 'newer', news] as const]) {
    const line = JSON.stringify(data);
    if (told.get(key) === line) continue;
    told.set(key, line);
    yield `event: ${event}\ndata: ${line}\n\n`;
  }
}
