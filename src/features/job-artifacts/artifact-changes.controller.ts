import { Controller, Delete, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { notFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { ACCEPTED, MessageRecord } from '#kernel/http/message.record.js';
import { Returns, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { JOB_WRITE } from '#core/ci/jobs/job-access.js';
import { JobQueries } from '#core/ci/jobs/job.queries.js';
import { JobRecord, presentJob } from '#core/ci/jobs/job.record.js';
import { ArtifactChangesService } from './artifact-changes.service.js';
import { FindJobArtifactsParams } from './job-artifacts.params.js';

const REMOVE = { ...JOB_WRITE, project: Role.Maintainer } as const;

/** Keeps and removes artifacts (`api-v4.md` 4.11). */
@Controller('api/v4/projects/:id')
export class ArtifactChangesController {
  constructor(
    private readonly changes: ArtifactChangesService,
    private readonly jobs: JobQueries,
    private readonly links: Links,
  ) {}

  @Post('jobs/:job_id/artifacts/keep')
  @Access(JOB_WRITE)
  @Returns(JobRecord, 200)
  async keep(
    @CurrentProject() project: ProjectSubject,
    @Params() { job_id: jobId }: FindJobArtifactsParams,
  ): Promise<JobRecord> {
    await this.changes.keep(project.id, jobId);
    const row = await this.jobs.find(project.id, jobId);
    if (!row) throw notFound('Job');
    // Users who may run jobs may also read the code.
    return presentJob(row, this.links, true);
  }

  @Delete('jobs/:job_id/artifacts')
  @Access(REMOVE)
  @ReturnsNothing()
  remove(
    @CurrentProject() project: ProjectSubject,
    @Params() { job_id: jobId }: FindJobArtifactsParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.changes.remove(project.id, jobId, unmodified);
  }

  @Delete('artifacts')
  @Access(REMOVE)
  @Returns(MessageRecord, 202)
  async removeAll(@CurrentProject() project: ProjectSubject): Promise<MessageRecord> {
    await this.changes.expireAll(project.id);
    return ACCEPTED;
  }
}
