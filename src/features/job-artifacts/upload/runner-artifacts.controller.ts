import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { Params } from '#kernel/http/fields/params.js';
import { forbidden } from '#kernel/http/errors.js';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import { LongRunning } from '#kernel/http/routes/long-running.js';
import { RawBody } from '#kernel/http/bodies/raw-body.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { ReturnsFile, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { ArtifactAnswersService } from '../artifact-answers.service.js';
import { ArtifactReadersPolicy } from './artifact-readers.policy.js';
import { ArtifactUploadsService } from './artifact-uploads.service.js';
import {
  FetchJobArtifactParams,
  NameRunnerJobParams,
  UploadJobArtifactParams,
} from './upload-job-artifact.params.js';

/** Artifacts of jobs as runners upload and download them (`ci.md` 6). */
@Controller('api/v4/jobs')
export class RunnerArtifactsController {
  constructor(
    private readonly uploads: ArtifactUploadsService,
    private readonly readers: ArtifactReadersPolicy,
    private readonly answers: ArtifactAnswersService,
  ) {}

  @Post(':id/artifacts')
  @RawBody()
  @LongRunning()
  @Access({ credential: 'job' })
  @ReturnsNothing(201)
  upload(@Params() params: UploadJobArtifactParams, @Req() request: ApiRequest): Promise<void> {
    return this.uploads.add(request, params);
  }

  /** Request of proxies in front of other servers; always rejected, as in v4. */
  @Post(':id/artifacts/authorize')
  @Access({ credential: 'job' })
  @ReturnsNothing(201)
  authorize(@Params() _params: NameRunnerJobParams): void {
    throw forbidden();
  }

  @Get(':id/artifacts')
  @LongRunning()
  @Access({ credential: 'job' })
  @ReturnsFile('The archive; with `Range`, a part of it', { isRanged: true, mayRedirect: true })
  async download(
    @Params() { id, direct_download: mayRedirect = false }: FetchJobArtifactParams,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    const archive = await this.readers.archiveFor(request, id);
    return this.answers.sendArchive(request, response, archive, { mayRedirect });
  }
}
