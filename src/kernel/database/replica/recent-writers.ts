import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { logger } from '#kernel/log/logger.js';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import type { BatchedRead, PositionedRow } from '../lanes/batched-read.js';
import { poolOf } from '../own-pool.js';
import type { ReadDatabase } from '../reads/read-database.js';
import { WriteNotes } from './write-notes.js';

/** A caller who writes on and on is noted once in this time, by each process. */
const NOTE_MS = 1_000;
/** How long a note counts: five seconds after a write, which may follow its note by NOTE_MS. */
const COUNTS_MS = 5_000 + NOTE_MS;
const MAX_KNOWN = 10_000;

/** No user: says since when the table remembers, for it is empty after a crash of the server. */
const SINCE = 0;

const LATELY = `> clock_timestamp() - interval '${COUNTS_MS} milliseconds'`;

const NOTE = `insert into recent_writers (user_id, wrote_at) select id, clock_timestamp() from unnest($1::bigint[]) id order by id
  on conflict (user_id) do update set wrote_at = excluded.wrote_at`;

const BEGIN = `insert into recent_writers (user_id, wrote_at) values (${SINCE}, clock_timestamp()) on conflict do nothing`;

const FORGET = `delete from recent_writers where user_id <> ${SINCE} and wrote_at < clock_timestamp() - interval '1 minute'`;

/** Rows of the users who have not written lately, according to the table. */
const QUIET = `select k.position::int from unnest($1::bigint[]) with ordinality k(user_id, position)
  where not exists (select from recent_writers w where w.user_id = k.user_id and w.wrote_at ${LATELY})
    and exists (select from recent_writers s where s.user_id = ${SINCE} and not s.wrote_at ${LATELY})`;

interface Noted {
  readonly at: number;
  readonly done: Promise<void>;
}

const isRead = ({ method }: RequestContext): boolean => method === 'GET' || method === 'HEAD';

/**
 * Remembers on the primary, for all processes, who has written in the last seconds: a replica may not show it yet. The table has no log, so a note
 * does not wait for the disk.
 */
export class RecentWriters extends WriteNotes {
  private readonly noted = new LRUCache<number, Noted>({ max: MAX_KNOWN });
  private readonly quiet: BatchedRead<PositionedRow> | null;

  /** Without `isNeeded` nothing is noted. */
  constructor(
    isNeeded: boolean,
    private readonly dataSource: DataSource,
    database: ReadDatabase,
  ) {
    super();
    this.quiet = isNeeded ? database.batched<PositionedRow>(QUIET) : null;
  }

  /** Notes the caller of the current request, unless that only reads: both persons under sudo. */
  override written(): Promise<void> | undefined {
    if (!this.quiet) return undefined;
    const context = requestContext.getStore();
    if (!context || isRead(context)) return undefined;
    const ids = callersOf(context);
    if (ids.length === 0) return undefined;
    const now = performance.now();
    const begun: Promise<void>[] = [];
    for (const id of ids) {
      const one = this.noted.get(id);
      if (one && now - one.at < NOTE_MS) begun.push(one.done);
    }
    // Another write may have begun the note, and this answer must not leave before it is there.
    if (begun.length === ids.length) return Promise.all(begun).then(() => undefined);
    const done = this.change(NOTE, [ids]);
    for (const id of ids) this.noted.set(id, { at: now, done });
    return done;
  }

  /** Whether this process has noted that the caller of a request wrote lately. */
  hasNoted(context: RequestContext): boolean {
    const since = performance.now() - COUNTS_MS;
    return callersOf(context).some((id) => (this.noted.get(id)?.at ?? -Infinity) > since);
  }

  /** Whether the primary says that no process has noted that of the caller; anonymous callers never write. */
  async isQuiet(context: RequestContext): Promise<boolean> {
    const { quiet } = this;
    if (!quiet) return false;
    const found = callersOf(context).map((id) => quiet.find(id));
    const rows = await Promise.all(found).catch(() => [null]);
    return rows.every((row) => row !== null);
  }

  /** Begins the memory after a crash of the server, and forgets old notes; call it now and then. */
  async tidy(): Promise<void> {
    await this.change(BEGIN);
    await this.change(FORGET);
  }

  private async change(text: string, values: unknown[] = []): Promise<void> {
    try {
      await runOn(poolOf(this.dataSource), text, values);
    } catch (error) {
      // The write itself is committed. A primary that takes no note gives no position either, so the replica is soon left alone.
      logger.warn({ error }, 'It could not be noted who has written');
    }
  }
}

async function runOn(pool: pg.Pool, text: string, values: unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(text, values);
    client.release();
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

const callersOf = ({ userId, sudoUserId }: RequestContext): number[] =>
  [userId, sudoUserId].filter((id) => id !== undefined);
