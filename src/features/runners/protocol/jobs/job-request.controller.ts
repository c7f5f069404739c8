import { hash } from 'node:crypto';
import { Controller, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { conflict } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { ReturnsOr } from '#kernel/http/answers/returns.js';
import { JobPayloadRecord } from '../payload/job-payload.record.js';
import { RunnerCredentialFinder } from '../runner-credential.finder.js';
import { RunnerPresenceService } from '../runner-presence.service.js';
import { runnerState } from '../runner-state.js';
import { HandOutJob } from './hand-out-job.use-case.js';
import { RequestJobParams } from './job-request.params.js';

/** Job requests of runners. */
@Controller('api/v4/jobs')
export class JobRequestController {
  constructor(
    private readonly credential: RunnerCredentialFinder,
    private readonly presence: RunnerPresenceService,
    private readonly handOut: HandOutJob,
  ) {}

  /**
   * Returns the next job for a runner, or 204. Always looks for one: `X-GitLab-Last-Update` only tells the
   * runner that something may have changed.
   */
  @Post('request')
  @Access({ credential: 'runner' })
  @ReturnsOr(JobPayloadRecord, 201, {
    record: null,
    status: 204,
    description: 'There is no job for the runner',
  })
  @Refuses({ 409: 'Other runners took the jobs in the meantime' })
  async request(
    @Params() params: RequestJobParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JobPayloadRecord | undefined> {
    const runner = await this.credential.find(params.token);
    await this.presence.seen(runner.id, params.system_id ?? null, runnerState(params.info));
    const job = runner.paused ? 'none' : await this.handOut.run(runner, params.job_age ?? 0);
    if (job === 'conflict') throw conflict();
    if (job !== 'none') return job;
    response.status(204).setHeader('X-GitLab-Last-Update', hash('sha256', runner.tick).slice(0, 32));
    return undefined;
  }
}
