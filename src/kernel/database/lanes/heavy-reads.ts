import pg from 'pg';
import { answerHolder, beginLargeAnswer } from '#kernel/http/answers/large-answers.js';
import { HttpError } from '#kernel/http/errors.js';
import type { Statement } from '../list-query.js';
import { readInPool, RowsTooMany } from './bounded-query.js';

const CONNECTIONS = 2;
/** Bytes of the rows of one read for an answer: a hundred records with a million characters each would take that many times over. */
const MAX_BYTES = 16 * 1024 * 1024;
/** How long a read that was heavy for somebody is taken for heavy, and how many of them are remembered. */
const KNOWN_MS = 30_000;
const MAX_KNOWN = 1_000;

/**
 * Where reads go that bring more bytes than a lane should carry: on connections of their own, as many at a time as large answers may be made.
 * What was heavy for somebody comes here at once for a while.
 */
export class HeavyReads {
  /** Until when, by the text of the statement and the caller. */
  private readonly known = new Map<string, Map<string, number>>();
  private readonly pool: pg.Pool;

  constructor(options: pg.PoolConfig) {
    this.pool = new pg.Pool({ ...options, max: CONNECTIONS, idleTimeoutMillis: 5_000 });
    this.pool.on('error', () => undefined);
  }

  /** Whether a statement has brought too much for the caller of the running request, lately. */
  has(text: string): boolean {
    if (this.known.size === 0) return false;
    const until = this.known.get(text)?.get(answerHolder());
    return until !== undefined && until > performance.now();
  }

  /** Runs a read that was too heavy elsewhere, once the request may make a large answer. @throws 422 for more than any may hold, PoolBusy */
  async run({ text, values }: Statement): Promise<object[]> {
    if (!this.has(text)) this.remember(text, answerHolder());
    await beginLargeAnswer();
    try {
      return await readInPool(this.pool, { text, values: [...values] }, { maxBytes: MAX_BYTES });
    } catch (error) {
      throw error instanceof RowsTooMany ? TooMuch() : error;
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private remember(text: string, holder: string): void {
    const holders = this.known.get(text) ?? new Map<string, number>();
    if (holders.size >= MAX_KNOWN) holders.clear();
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(text, holders.set(holder, performance.now() + KNOWN_MS));
  }
}

const TooMuch = (): HttpError =>
  new HttpError(422, {
    message: `422 Unprocessable Entity - the records take more than ${MAX_BYTES / 2 ** 20} MiB, ask for fewer at a time`,
  });
