import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { answerHolder, beginLargeAnswer } from '#kernel/http/answers/large-answers.js';
import { HttpError } from '#kernel/http/errors.js';
import type { Statement } from '../lists/list-query.js';
import { readInPool, RowsTooMany } from './bounded-query.js';

const CONNECTIONS = 2;
/** Bytes of the rows of one read for an answer: a hundred records with a million characters each would take that many times over. */
const MAX_BYTES = 16 * 1024 * 1024;
/** How long somebody's reads are thought to be heavy after one was, and of how many callers and texts that is remembered. */
const KNOWN_MS = 30_000;
const MAX_KNOWN = 1_000;

/**
 * Where reads go that bring more bytes than a lane should carry: on connections of their own, as many at a time as large answers may be made.
 * What was heavy for somebody comes here at once for a while. Whatever else they ask for meanwhile may prove to be heavy as well: it is read
 * on connections of such callers, so that nobody else is behind it.
 */
export class HeavyReads {
  /** Whose reads are thought to be heavy now, and which texts. */
  private readonly known = new LRUCache<string, Set<string>>({ max: MAX_KNOWN, ttl: KNOWN_MS });
  private readonly pool: pg.Pool;
  private readonly suspects: pg.Pool;

  constructor(options: pg.PoolConfig) {
    const open = (): pg.Pool => new pg.Pool({ ...options, max: CONNECTIONS, idleTimeoutMillis: 5_000 });
    [this.pool, this.suspects] = [open(), open()];
    for (const pool of [this.pool, this.suspects]) pool.on('error', () => undefined);
  }

  /** The rows of a read of somebody whose reads have been heavy lately; null for anybody else's. */
  take(read: Statement): Promise<object[]> | null {
    if (this.known.size === 0) return null;
    const holder = answerHolder();
    const known = holder === null ? undefined : this.known.get(holder);
    if (!known) return null;
    return known.has(read.text) ? this.run(read) : this.probe(read);
  }

  /** Runs a read that was too heavy elsewhere, once the request may make a large answer. @throws 422 for more than any may hold, PoolBusy */
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
    const texts = this.known.get(holder) ?? new Set();
    if (texts.size >= MAX_KNOWN) texts.clear();
    this.known.set(holder, texts.add(text));
  }
}

const tooMuch = (): HttpError =>
  new HttpError(422, {
    message: `422 Unprocessable Entity - the records take more than ${MAX_BYTES / 2 ** 20} MiB, ask for fewer at a time`,
  });
