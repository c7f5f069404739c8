import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { Locked } from '../merge-lock.service.js';
import { MergeExecutionService } from '../merge-execution.service.js';
import { RecoverLockedJob } from './recover-locked.job.js';

const BATCH = 100;

/** Longer than all that git does for a merge is let; while the repository moves nobody looks. */
const FIND = `select m.id, m.locked_at as "lockedAt"
  from merge_requests m join projects p on p.id = m.project_id and not p.repository_read_only
  where m.state = 'locked' and m.locked_at < now() - interval '5 minutes' and m.id > $1 order by m.id limit ${BATCH}`;

/** Looks up what became of merges that nobody ends any more. */
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

  /** One that cannot be looked up now does not keep the others waiting: the next run tries again. */
  private async recover(one: Locked): Promise<void> {
    try {
      await this.execution.recover(one);
    } catch (error) {
      this.logger.error(`Merge request ${one.id} cannot be looked up: ${String(error)}`);
    }
  }
}
