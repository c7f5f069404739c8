import { Injectable } from '@nestjs/common';
import { logger } from '#kernel/log/logger.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { SweepUploadsJob } from './sweep-uploads.job.js';

/** Sweeps the object storage once a day. */
@Injectable()
export class SweepUploadsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = SweepUploadsJob;

  constructor(private readonly storage: ObjectStorage) {
    super();
  }

  /** Some stores cannot list uploads, and some do not permit it: that is not a failure of the job. */
  async process(): Promise<void> {
    await this.storage
      .removeStale()
      .catch((error: unknown) => logger.warn({ error }, 'Unfinished uploads were not removed'));
  }
}
