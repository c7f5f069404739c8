import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { Locked } from '../merge-lock.service.js';
import { MergeExecutionService } from '../merge-execution.service.js';
import { RecoverLockedJob } from './recover-locked.job.js';

const BATCH = 100;

/** Longer than the time limits of git for a merge; skips repositories that are being moved. */
const FIND = `select m.id, m.locked_at as "lockedAt"
  from merge_requests m join projects p on p.id = m.project_id and not p.repository_read_only
  where m.state = 'locked' and m.locked_at < now() - interval '5 minutes' and m.id > $1 order by m.id limit ${BATCH}`;

/** Looks up the result of merges without a process. */
@Injectable()
export class RecoverLockedProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = RecoverLockedJob;
  private readonly logger = new Logger(RecoverLockedProcessor.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly execution: MergeExecutionService,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    let last = 0;
    for (;;) {
      const found = await this.database.long<Locked>(FIND, [last]);
      for (const one of found) {
        signal.throwIfAborted();
        await this.recover(one);
      }
      last = found.at(-1)?.id ?? last;
      if (found.length < BATCH) return;
    }
  }

  /** A merge that cannot be examined now does not block the others: the next run retries it. */
  private async recover(one: Locked): Promise<void> {
    try {
      await this.execution.recover(one);
    } catch (error) {
      this.logger.error(`Merge request ${one.id} cannot be recovered: ${String(error)}`);
    }
  }
}
