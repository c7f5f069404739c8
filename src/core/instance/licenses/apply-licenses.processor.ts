import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { ApplyLicensesJob } from './apply-licenses.job.js';
import { LicensesService } from './licenses.service.js';

/** Starts and ends licenses. */
@Injectable()
export class ApplyLicensesProcessor extends JobProcessor {
  readonly job = ApplyLicensesJob;

  constructor(private readonly licenses: LicensesService) {
    super();
  }

  process(): Promise<void> {
    return this.licenses.applyInForce();
  }
}
