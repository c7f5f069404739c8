import { Injectable } from '@nestjs/common';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { StagingSweepService } from './staging-sweep.service.js';
import { SweepStagingJob } from './sweep-staging.job.js';

/** Sweeps all storages, whether the database has moves or not. */
@Injectable()
export class SweepStagingProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = SweepStagingJob;

  constructor(private readonly sweep: StagingSweepService) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    await this.sweep.run(signal);
  }
}
