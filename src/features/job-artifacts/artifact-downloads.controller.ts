import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import { LongRunning } from '#kernel/http/routes/long-running.js';
import { ReturnsFile } from '#kernel/http/answers/returns.js';
import { ArchivesQueries, type Archive, type JobWithArchive } from '#core/ci/artifacts/archives.queries.js';
import { assertMayReadJobs, JOB_OPEN_READ } from '#core/ci/jobs/job-access.js';
import { ArtifactAnswersService } from './artifact-answers.service.js';
import {
  FindJobArtifactsParams,
  FindJobFileParams,
  FindRefArtifactsParams,
  FindRefFileParams,
} from './job-artifacts.params.js';

/** Job tokens are accepted on premium. */
const READ = { ...JOB_OPEN_READ, jobToken: Tier.Premium } as const;

const A_FILE = 'The file: as an attachment, with a type based on its name';
const AN_ARCHIVE = 'The archive; with `Range`, a part of it';

/**
 * Downloads of artifacts by users and tools (`api-v4.md` 4.11). Routes by ref are registered first, because a
 * ref may have any name.
 */
@Controller('api/v4/projects/:id/jobs')
export class ArtifactDownloadsController {
  constructor(
    private readonly archives: ArchivesQueries,
    private readonly answers: ArtifactAnswersService,
  ) {}

  @Get('artifacts/:ref_name/download')
  @LongRunning()
  @Access(READ)
  @ReturnsFile(AN_ARCHIVE, { isRanged: true, mayRedirect: true })
  async archiveOfRef(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { ref_name: ref, job }: FindRefArtifactsParams,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    const archive = await admit(caller, (project) => this.archives.ofRef(project, ref, job, null));
    return this.answers.sendArchive(request, response, archive, { mayRedirect: true });
  }

  @Get('artifacts/:ref_name/raw/*artifact_path')
  @LongRunning()
  @Access(READ)
  @ReturnsFile(A_FILE)
  async fileOfRef(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { ref_name: ref, job, artifact_path: path }: FindRefFileParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    const archive = await admit(caller, (project) => this.archives.ofRef(project, ref, job, path));
    return this.answers.sendEntry(response, archive, path);
  }

  @Get(':job_id/artifacts')
  @LongRunning()
  @Access(READ)
  @ReturnsFile(AN_ARCHIVE, { isRanged: true, mayRedirect: true })
  async archiveOfJob(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { job_id: jobId }: FindJobArtifactsParams,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    const archive = await admit(caller, (project) => this.archives.ofJob(project, jobId, null));
    return this.answers.sendArchive(request, response, archive, { mayRedirect: true });
  }

  @Get(':job_id/artifacts/*artifact_path')
  @LongRunning()
  @Access(READ)
  @ReturnsFile(A_FILE)
  async fileOfJob(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { job_id: jobId, artifact_path: path }: FindJobFileParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    const archive = await admit(caller, (project) => this.archives.ofJob(project, jobId, path));
    return this.answers.sendEntry(response, archive, path);
  }
}

/**
 * Returns the requested archive, if the caller may have it. @throws 403 @throws 404 if the job or archive
 * does not exist
 */
async function admit(
  caller: ProjectCaller,
  find: (projectId: number) => Promise<JobWithArchive | null>,
): Promise<Archive> {
  assertMayReadJobs(caller);
  const job = await find(caller.subject.id);
  if (!job) throw notFound('Job');
  if (!job.artifactsPublic && caller.role < Role.Developer) throw forbidden();
  if (!job.archive) throw notFound('Artifact');
  return job.archive;
}
