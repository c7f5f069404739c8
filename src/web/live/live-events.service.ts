import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { PageAnswer, setPageHeaders, writePage } from '#kernel/html/page-answer.js';
import { EventTimings } from '#kernel/http/streams/event-timings.js';
import { looks, writeEvent } from '#kernel/http/streams/looks.js';
import { Readmission } from '#kernel/http/streams/readmission.js';
import type { ApiRequest } from '#kernel/http/request.js';
import type { LiveItem } from './live-item.js';

/** Between two looks. */
const PACE_MS = 500;

/** One connection lives no longer: the browser comes again, and has to show again who it is. */
const MAX_MS = 50_000;

/** What an open page is told of. */
export interface Look {
  /** The items that it shows. */
  readonly items: readonly LiveItem[];
  /** Whether anything still changes by itself. */
  readonly isMoving: boolean;
  /** What to say of items that it does not show yet; null where there are none. */
  readonly news: string | null;
}

/** Tells an open page how its items get on, and that there are newer ones. */
@Injectable()
export class LiveEventsService implements OnModuleDestroy {
  private readonly open = new Set<AbortController>();

  constructor(private readonly timings: EventTimings) {}

  /** A server that stops waits for its answers to end: these would not. */
  onModuleDestroy(): void {
    for (const one of this.open) one.abort();
  }

  /**
   * Streams until nothing moves any more (and `until` is over); 204, which tells browsers not to come again, where that is so from the
   * start.
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
    if (!isWatched(first)) {
      writePage(response, new PageAnswer(204, null));
      return;
    }
    const readmission = new Readmission(response.req as ApiRequest, this.timings);
    begin(response);
    const { signal } = over;
    const maxMs = response.req.method === 'HEAD' ? 0 : MAX_MS;
    const told = new Map<string, string>();
    try {
      for await (const found of looks(first, look, { readmission, paceMs: PACE_MS, maxMs, signal })) {
        for (const event of untold(told, found)) await writeEvent(response, event, signal);
        if (!isWatched(found)) break;
      }
    } catch {
      // The answer has begun: what is wrong, the browser is told when it comes again.
    }
    response.end();
  }
}

function begin(response: Response): void {
  setPageHeaders(response);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // Proxies that gather an answer before they pass it on would keep all of it.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
}

/** What is not known yet, as events. */
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
