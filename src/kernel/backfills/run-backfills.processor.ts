import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { redactText } from '#kernel/log/redaction.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { RowsApart } from '#kernel/queue/rows-apart.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { BackfillsRegistry, type Backfill } from './backfills.registry.js';
import { RunBackfillsJob } from './run-backfills.job.js';

interface Progress {
  readonly position: number | null;
  readonly total: number | null;
}

/** The row lock serializes concurrent runs. */
const LOOK = 'select position, total from backfills where name = $1 and finished_at is null for update';
const ADVANCE = `update backfills set position = $2, done = done + $3, total = $4, error = null, updated_at = now() where name = $1`;
const FINISH = 'update backfills set finished_at = now(), updated_at = now(), error = null where name = $1';
const FAIL = 'update backfills set error = $2, updated_at = now() where name = $1';

/**
 * Runs backfills one after another. Each batch commits together with its position, so the work of a killed
 * worker is not repeated.
 */
@Injectable()
export class RunBackfillsProcessor extends JobProcessor {
  readonly job = RunBackfillsJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly backfills: BackfillsRegistry,
  ) {
    super();
  }

  async process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    const apart = new RowsApart('backfills', signal);
    for (const backfill of this.backfills.all())
      await apart.attempt(backfill.name, () => this.run(backfill, signal));
    apart.end();
  }

  private async run(backfill: Backfill, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const began = performance.now();
      if (!(await this.step(backfill))) return;
      // Pauses as long as the batch took, leaving half of the time to others.
      await sleep(performance.now() - began, undefined, { signal });
    }
  }

  /** Runs one batch; returns false if nothing is left. */
  private async step(backfill: Backfill): Promise<boolean> {
    try {
      return await this.transactions.run((tx) => this.advance(tx, backfill));
    } catch (error) {
      const message = redactText(error instanceof Error ? error.message : 'failed', 500);
      await this.transactions.run((tx) => tx.query(FAIL, [backfill.name, message]));
      throw error;
    }
  }

  private async advance(tx: Tx, backfill: Backfill): Promise<boolean> {
    const [progress] = await tx.query<Progress[]>(LOOK, [backfill.name]);
    if (!progress) return false;
    const batch = await backfill.batch(tx, progress.position);
    if (batch === null) {
      await tx.query(FINISH, [backfill.name]);
      return false;
    }
    const total = progress.total ?? (await backfill.total(tx));
    await tx.query(ADVANCE, [backfill.name, batch.position, batch.rows, total]);
    return true;
  }
}
