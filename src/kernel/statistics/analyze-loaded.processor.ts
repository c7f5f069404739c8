import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { AnalyzeLoadedJob } from './analyze-loaded.job.js';

/** Minimum interval between two analyses of a table. */
const PAUSE_SECONDS = 120;

/**
 * Tables of which a thousand rows and a tenth have changed since the last analysis. Tables with settings of
 * their own are left to these.
 */
const GROWN = `select s.relid::regclass::text as name,
    greatest(0, extract(epoch from greatest(s.last_analyze, s.last_autoanalyze) - now()) + ${PAUSE_SECONDS})::float8 as "waitSeconds"
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  where s.schemaname = any(current_schemas(false)) and s.n_mod_since_analyze >= greatest(1000, c.reltuples * 0.1)
    and coalesce(array_to_string(c.reloptions, ' '), '') not like '%autovacuum_analyze%'
  order by s.n_mod_since_analyze desc`;

/** Hardly waits for locks, so that nothing queues behind it. */
const BOUNDS = `select set_config('lock_timeout', '200ms', true), set_config('statement_timeout', '10s', true)`;

/**
 * lock_not_available, query_canceled and undefined_table: the table is in use, it takes too long, or the
 * table no longer exists.
 */
const LEFT = new Set(['55P03', '57014', '42P01']);

type Nothing = Readonly<Record<string, never>>;

interface Grown {
  readonly name: string;
  readonly waitSeconds: number;
}

/**
 * Analyzes tables that have grown, each in a separate transaction; enqueues another run if a table was
 * analyzed too recently.
 */
@Injectable()
export class AnalyzeLoadedProcessor extends JobProcessor<Nothing> {
  readonly job = AnalyzeLoadedJob;
  private readonly logger = new Logger(AnalyzeLoadedProcessor.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async process(_payload: Nothing, { signal }: JobContext): Promise<void> {
    const grown = await this.database.long<Grown>(GROWN, []);
    const early = grown.filter(({ waitSeconds }) => waitSeconds > 0).map(({ waitSeconds }) => waitSeconds);
    for (const { name, waitSeconds } of grown) {
      signal.throwIfAborted();
      if (waitSeconds === 0) await this.analyze(name);
    }
    if (early.length === 0) return;
    const delayMs = 1_000 * Math.max(...early);
    await this.transactions.run((tx) => this.jobs.enqueue(tx, AnalyzeLoadedJob, {}, { delayMs }));
  }

  private async analyze(name: string): Promise<void> {
    try {
      await this.transactions.run(async (tx) => {
        await tx.query(BOUNDS);
        await tx.query(`analyze ${name}`);
      });
    } catch (error) {
      if (!LEFT.has(errorCode(error) ?? '')) throw error;
      this.logger.log(`Statistics of ${name} will be updated later: ${String(error)}`);
    }
  }
}
