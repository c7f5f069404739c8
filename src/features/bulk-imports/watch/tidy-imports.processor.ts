import { Injectable } from '@nestjs/common';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { ImportSweep } from './import-sweep.js';
import { OldImports } from './old-imports.js';
import { TidyImportsJob } from './tidy-imports.job.js';

/** Once an hour: migrations that stand still time out, tokens that nobody can use any more are forgotten, files of lost runs are removed. */
@Injectable()
export class TidyImportsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = TidyImportsJob;

  constructor(
    private readonly old: OldImports,
    private readonly sweep: ImportSweep,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    await this.old.timeOut();
    await this.old.forgetTokens();
    await this.sweep.run(signal);
  }
}
