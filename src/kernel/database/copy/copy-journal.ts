import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { MIGRATION_LOCK } from '../migrate.js';
import { productSessions } from '../sessions/product-sessions.js';
import { CopyProblem } from './copy-problem.js';
import { BEGUN, COPY_TABLE } from './unfinished-copy.js';

/** Description of a copy; an interrupted copy continues only if it is the same. */
export interface CopyOrder {
  /** For people: "The restore of backup X". */
  readonly what: string;
  /** The command that finishes it. */
  readonly command: string;
  readonly facts: Readonly<Record<string, string>>;
}

/** Arbitrary number of an advisory lock other than those of the migrations, the start and backups. */
const COPY_LOCK = 746_274_022;
/** PostgreSQL needs a moment to see that a process was killed. */
const ATTEMPTS = 30;
const PAUSE_MS = 100;

const SESSION =
  'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0';
/** Lets PostgreSQL end a long statement whose process was killed, where its system can. */
const NOTICE_KILLS = `set client_connection_check_interval = '1s'`;

const LOCK = 'select pg_try_advisory_lock($1) as mine';
const TURN = 'select pg_advisory_xact_lock($1)';
const IS_THERE = `select to_regclass('${COPY_TABLE}') is not null as "isThere"`;
const IS_EMPTY = `select not exists (select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v')) as empty`;

/** The steps that a copy into an empty database has done, kept in that database: an interrupted one continues from there. */
export class CopyJournal {
  private order: CopyOrder | null = null;
  private readonly steps = new Map<string, unknown>();

  private constructor(private readonly client: pg.Client) {}

  /**
   * Opens the journal of the database that `client` is connected to, which is the only one until it is closed.
   * @throws CopyProblem if another copy runs, the database holds something else, or processes of the product use it
   */
  static async open(client: pg.Client): Promise<CopyJournal> {
    const journal = new CopyJournal(client);
    await client.query(SESSION);
    await client.query(NOTICE_KILLS).catch(() => undefined);
    await journal.lock();
    const { rows } = await client.query<{ isThere: boolean }>(IS_THERE);
    if (rows[0]?.isThere === true) await journal.load();
    else await journal.requireEmpty();
    await journal.requireAlone();
    return journal;
  }

  /** What has been begun; null if nothing has. */
  get begun(): CopyOrder | null {
    return this.order;
  }

  /** Notes what is copied. From now on no process of the product starts on the database. @throws CopyProblem if it is no longer empty */
  async begin(order: CopyOrder): Promise<void> {
    await this.client.query('begin');
    // A process that starts at this moment comes first and makes its tables, or meets ours.
    await this.client.query(TURN, [MIGRATION_LOCK]);
    await this.requireEmpty();
    await this.client.query(`create table ${COPY_TABLE} (step text primary key, note jsonb not null)`);
    await this.note(BEGUN, order);
    await this.client.query('commit');
    this.order = order;
  }

  /** Whether a step has been done. */
  has(step: string): boolean {
    return this.steps.has(step);
  }

  /** Does a step in one transaction together with its note, unless it has been done. Returns what it returned then. */
  async commit<T>(step: string, work: () => Promise<T>): Promise<T> {
    if (this.has(step)) return this.steps.get(step) as T;
    await this.client.query('begin');
    const result = await work();
    await this.note(step, result);
    await this.client.query('commit');
    return result;
  }

  /** Does a step that concerns more than the database and may be done twice, unless it has been done. */
  async once(step: string, work: () => Promise<unknown>): Promise<void> {
    if (this.has(step)) return;
    await work();
    await this.note(step, null);
  }

  /** The copy is complete: removes the journal. */
  async end(): Promise<void> {
    await this.client.query('begin');
    await this.client.query(TURN, [MIGRATION_LOCK]);
    await this.client.query(`drop table ${COPY_TABLE}`);
    await this.client.query('commit');
  }

  private async note(step: string, note: unknown): Promise<void> {
    await this.client.query(`insert into ${COPY_TABLE} (step, note) values ($1, $2)`, [
      step,
      JSON.stringify(note ?? null),
    ]);
    this.steps.set(step, note);
  }

  private async load(): Promise<void> {
    const { rows } = await this.client.query<{ step: string; note: unknown }>(
      `select step, note from ${COPY_TABLE}`,
    );
    for (const { step, note } of rows) this.steps.set(step, note);
    this.order = this.steps.get(BEGUN) as CopyOrder;
  }

  private async lock(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { rows } = await this.client.query<{ mine: boolean }>(LOCK, [COPY_LOCK]);
      if (rows[0]?.mine === true) return;
      if (attempt === ATTEMPTS) throw new CopyProblem('Another process is copying into this database');
      await sleep(PAUSE_MS);
    }
  }

  private async requireEmpty(): Promise<void> {
    const { rows } = await this.client.query<{ empty: boolean }>(IS_EMPTY);
    if (rows[0]?.empty !== true)
      throw new CopyProblem('The database is not empty: it must be one without tables');
  }

  private async requireAlone(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const names = await productSessions(this.client);
      if (names.length === 0) return;
      if (attempt === ATTEMPTS)
        throw new CopyProblem(
          `Processes of the product use this database (${names.join(', ')}): stop them first`,
        );
      await sleep(PAUSE_MS);
    }
  }
}
