import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { PageAnswer, setPageHeaders, writePage } from '#kernel/html/page-answer.js';
import type { EventParams } from './move-forms.js';
import { MovesQueries, type Activity } from './moves.queries.js';
import { countText, type MoveKind } from './move-words.js';
import { nowOf, type ShownMove } from './shown-move.js';

/** Between two looks. */
const PACE_MS = 500;

/** One connection lives no longer: the browser comes again, and has to show again who it is. */
const MAX_MS = 50_000;

interface Look extends Activity {
  readonly moves: readonly ShownMove[];
}

/** Tells an open page how its moves get on, and that there are newer ones. */
@Injectable()
export class MoveEvents implements OnModuleDestroy {
  private readonly open = new Set<AbortController>();

  constructor(private readonly queries: MovesQueries) {}

  /** A server that stops waits for its answers to end: these would not. */
  onModuleDestroy(): void {
    for (const one of this.open) one.abort();
  }

  /** Streams until nothing moves any more; 204, which tells browsers not to come again, where that is so from the start. */
  async stream(response: Response, params: EventParams, kinds: readonly MoveKind[]): Promise<void> {
    const over = new AbortController();
    this.open.add(over);
    response.once('close', () => {
      this.open.delete(over);
      over.abort();
    });
    const ids = params.moves === '' ? [] : params.moves.split(',').map(Number);
    const look = (): Promise<Look> => this.look(ids, params.newest, kinds);
    const isWatched = ({ isMoving }: Look): boolean =>
      isMoving || (params.until !== null && params.until.getTime() > Date.now());
    let found = await look();
    if (!isWatched(found)) {
      writePage(response, new PageAnswer(204, null));
      return;
    }
    begin(response);
    const end = Date.now() + (response.req.method === 'HEAD' ? 0 : MAX_MS);
    const told = new Map<string, string>();
    tell(response, told, found);
    while (Date.now() < end && isWatched(found) && (await pause(over.signal))) {
      // The answer has begun: what is wrong, the browser is told when it comes again.
      const next = await look().catch(() => null);
      if (next === null) break;
      found = next;
      tell(response, told, found);
    }
    response.end();
  }

  private async look(
    ids: readonly number[],
    newest: number | null,
    kinds: readonly MoveKind[],
  ): Promise<Look> {
    const [moves, activity] = await Promise.all([
      ids.length === 0 ? [] : this.queries.now(ids, kinds),
      this.queries.activity(newest ?? Number.MAX_SAFE_INTEGER, kinds),
    ]);
    return { ...activity, moves };
  }
}

/** Waits for the next look; false when there is to be none. */
const pause = (signal: AbortSignal): Promise<boolean> => sleep(PACE_MS, true, { signal }).catch(() => false);

function begin(response: Response): void {
  setPageHeaders(response);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // Proxies that gather an answer before they pass it on would keep all of it.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
}

/** Writes what is not known yet. */
function tell(response: Response, told: Map<string, string>, { moves, newer }: Look): void {
  const news = moves.map((move) => [`move ${move.id}`, 'move', nowOf(move)] as const);
  const text = `${countText(newer, 'newer move')}. Refresh to see ${newer === 1 ? 'it' : 'them'}.`;
  for (const [key, event, data] of newer > 0 ? [...news, ['newer', 'newer', text] as const] : news) {
    const line = JSON.stringify(data);
    if (told.get(key) === line) continue;
    told.set(key, line);
    response.write(`event: ${event}\ndata: ${line}\n\n`);
  }
}
