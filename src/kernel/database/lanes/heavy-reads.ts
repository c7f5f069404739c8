import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { answerHolder, beginLargeAnswer } from '#kernel/http/answers/large-answers.js';
import { HttpError } from '#kernel/http/errors.js';
import type { Statement } from '../lists/list-query.js';
import { watchedPool } from '../sessions/watched-client.js';
import { readInPool, RowsTooMany } from './bounded-query.js';

const CONNECTIONS = 2;
/**
 * Limit of row bytes of one read for a response: a hundred records with a million characters each would take
 * many times that.
 */
const MAX_BYTES = 16 * 1024 * 1024;
/**
 * How long the reads of a caller count as heavy after one was, and limits of the callers and of their
 * statements remembered.
 */
const KNOWN_MS = 30_000;
const MAX_KNOWN = 1_000;
const MAX_TEXTS = 100;

/**
 * Runs reads that return more bytes than a lane should carry, on separate connections, as many at a time as
 * large responses may be generated. A statement that was heavy for a caller runs here directly for a while.
 * Other reads of that caller may prove heavy too, so they run on connections of such callers, where they
 * delay no other reads.
 */
export class HeavyReads {
  /** The callers whose reads currently count as heavy, with the statements. */
  private readonly known = new LRUCache<string, LRUCache<string, true>>({ max: MAX_KNOWN, ttl: KNOWN_MS });
  private readonly pool: pg.Pool;
  private readonly suspects: pg.Pool;

  constructor(options: pg.PoolConfig) {
    const open = (): pg.Pool => watchedPool({ ...options, max: CONNECTIONS, idleTimeoutMillis: 5_000 });
    [this.pool, this.suspects] = [open(), open()];
    for (const pool of [this.pool, this.suspects]) pool.on('error', () => undefined);
  }

  /** Returns the rows of a read if its caller had heavy reads lately; null otherwise. */
  take(read: Statement): Promise<object[]> | null {
    if (this.known.size === 0) return null;
    const holder = answerHolder();
    const known = holder === null ? undefined : this.known.get(holder);
    if (!known) return null;
    return known.has(read.text) ? this.run(read) : this.probe(read);
  }

  /**
   * Runs a read that was too heavy elsewhere, once the request may generate a large response. @throws 422
   * beyond the limit of any response, PoolBusy
   */
  async run({ text, values }: Statement): Promise<object[]> {
    this.remember(text);
    await beginLargeAnswer();
    try {
      return await readInPool(this.pool, { text, values: [...values] }, { maxBytes: MAX_BYTES });
    } catch (error) {
      throw error instanceof RowsTooMany ? tooMuch() : error;
    }
  }

  private async probe(read: Statement): Promise<object[]> {
    try {
      return await readInPool(this.suspects, { text: read.text, values: [...read.values] });
    } catch (error) {
      if (error instanceof RowsTooMany) return this.run(read);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.suspects.end()]);
  }

  private remember(text: string): void {
    const holder = answerHolder();
    if (holder === null) return;
    const texts = this.known.get(holder) ?? new LRUCache<string, true>({ max: MAX_TEXTS });
    this.known.set(holder, texts.set(text, true));
  }
}

const tooMuch = (): HttpError =>
  new HttpError(422, {
    message: `422 Unprocessable Entity - the records take more than ${MAX_BYTES / 2 ** 20} MiB, ask for fewer at a time`,
  });
