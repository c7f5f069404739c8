import { Injectable } from '@nestjs/common';
import { HttpError } from '#kernel/http/errors.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { MergeRequestRebasingService } from './merge-request-rebasing.service.js';
import { RebaseMergeRequestJob, type WantedRebase } from './rebase-merge-request.job.js';

/** Rebases a merge request; stores an error in its record. */
@Injectable()
export class RebaseMergeRequestProcessor extends JobProcessor<WantedRebase> {
  readonly job = RebaseMergeRequestJob;

  constructor(private readonly rebasing: MergeRequestRebasingService) {
    super();
  }

  async process(payload: WantedRebase): Promise<void> {
    let refusal: string | null = null;
    try {
      await this.rebasing.rebase(payload);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error;
      refusal = error.message;
    }
    await this.rebasing.end(payload.id, refusal);
  }

  override async failed({ id }: WantedRebase): Promise<void> {
    await this.rebasing.end(id, 'Rebase failed. Please try again later.');
  }
}
