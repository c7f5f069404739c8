import { Injectable } from '@nestjs/common';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { ImportSweepService } from './import-sweep.service.js';
import { OldImportsService } from './old-imports.service.js';
import { TidyImportsJob } from './tidy-imports.job.js';

/** Every hour: times out stalled migrations, removes expired tokens, and removes files of lost runs. */
@Injectable()
export class TidyImportsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = TidyImportsJob;

  constructor(
    private readonly old: OldImportsService,
    private readonly sweep: ImportSweepService,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    await this.old.forgetTokens();
    await this.sweep.run(signal);
    await this.old.timeOut(signal);
  }
}
