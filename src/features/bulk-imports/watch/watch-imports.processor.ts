import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { LostWorkService } from './lost-work.service.js';
import { WatchImportsJob } from './watch-imports.job.js';

/** Safety net of all migrations: none stalls because a process or a database was lost at a bad moment. */
@Injectable()
export class WatchImportsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = WatchImportsJob;

  constructor(private readonly lost: LostWorkService) {
    super();
  }

  async process(): Promise<void> {
    await this.lost.takeUp();
  }
}
