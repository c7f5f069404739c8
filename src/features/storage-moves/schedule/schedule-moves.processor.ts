import { Injectable, Logger } from '@nestjs/common';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { ScheduleBulkMoves } from './schedule-bulk-moves.use-case.js';
import { ScheduleMovesJob, type ScheduleMovesPayload } from './schedule-moves.job.js';

/** Schedules a move for each owner on a storage. */
@Injectable()
export class ScheduleMovesProcessor extends JobProcessor<ScheduleMovesPayload> {
  readonly job = ScheduleMovesJob;
  private readonly logger = new Logger('StorageMoves');

  constructor(private readonly scheduling: ScheduleBulkMoves) {
    super();
  }

  async process(payload: ScheduleMovesPayload, { signal }: JobContext): Promise<void> {
    let count = 0;
    for await (const moves of this.scheduling.run(payload)) {
      signal.throwIfAborted();
      count += moves.length;
    }
    this.logger.log(`Scheduled ${count} moves from ${payload.source}`);
  }
}
