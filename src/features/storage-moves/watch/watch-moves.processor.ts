import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { RunMoveJob } from '../engine/run-move.job.js';
import { MoveSlotsLimit } from '../move-slots.limit.js';
import { StrayOwnersService } from './stray-owners.service.js';
import { WatchMovesJob } from './watch-moves.job.js';

/** Started moves without a job, such as after an error that could not be recorded. */
const ABANDONED = `select id from storage_moves m where state in ('started', 'replicated') and not exists (
    select from background_jobs j where j.name = '${RunMoveJob.name}' and j.state <> 'failed' and j.payload = jsonb_build_object('moveId', m.id))
  order by id limit 100`;

/**
 * Safety net of all moves: no move stays unfinished, and no owner read-only, because a process or a database
 * was lost at a bad moment.
 */
@Injectable()
export class WatchMovesProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = WatchMovesJob;
  private readonly logger = new Logger('StorageMoves');

  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly slots: MoveSlotsLimit,
    private readonly strays: StrayOwnersService,
  ) {
    super();
  }

  async process(): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const { id } of await tx.query<{ id: number }[]>(ABANDONED)) {
        this.logger.warn(`No worker runs move ${id}: resuming it`);
        await this.jobs.enqueue(tx, RunMoveJob, { moveId: id });
      }
      await this.slots.wake(tx);
    });
    await this.strays.release();
  }
}
