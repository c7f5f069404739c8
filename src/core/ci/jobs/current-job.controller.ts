import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { JobQueries } from './job.queries.js';
import { JobRecord, presentJob } from './job.record.js';

/** The job whose token a request carries. */
@Controller('api/v4/job')
export class CurrentJobController {
  constructor(
    private readonly queries: JobQueries,
    private readonly links: Links,
  ) {}

  @Get()
  @Access({ user: true, jobToken: true })
  @Returns(JobRecord)
  async find(@CurrentCaller() { credential }: Caller): Promise<JobRecord> {
    const row = credential?.kind === 'job' ? await this.queries.current(credential.id) : null;
    if (!row) throw notFound('Job');
    // The job received the code itself.
    return presentJob(row, this.links, true);
  }
}
