import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { sendFile, type FileBody } from '#kernel/http/answers/file-answer.js';
import { Returns, ReturnsFile } from '#kernel/http/answers/returns.js';
import { REPOSITORY_READ } from '../repository-access.js';
import { CommitReadingService } from '../commits/commit-reading.service.js';
import { findBlob, openBlob, withBlob, type BlobInfo } from '../git/blobs.js';
import { BlobRecord, FindBlobParams } from './blob.record.js';

/** Blobs of a project by their ids. */
@Controller('api/v4/projects/:id/repository/blobs/:sha')
export class BlobsController {
  constructor(private readonly reading: CommitReadingService) {}

  @Get()
  @Access(REPOSITORY_READ)
  @Returns(BlobRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @Params() { sha }: FindBlobParams,
  ): Promise<BlobRecord> {
    const { path, blob } = await this.blob(project, sha);
    return withBlob(path, blob, (content) => ({
      size: blob.size,
      encoding: 'base64',
      content: content.toString('base64'),
      sha: blob.id,
    }));
  }

  @Get('raw')
  @Access(REPOSITORY_READ)
  @ReturnsFile()
  async raw(
    @CurrentProject() project: ProjectSubject,
    @Params() { sha }: FindBlobParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    const { path, blob } = await this.blob(project, sha);
    return sendFile(response, { name: blob.id, size: blob.size, open: () => openBlob(path, blob) });
  }

  private async blob(project: ProjectSubject, sha: string): Promise<{ path: string; blob: BlobInfo }> {
    const repository = await this.reading.open(project);
    const blob = repository && (await findBlob(repository.path, sha));
    if (!repository || !blob) throw notFound('Blob');
    return { path: repository.path, blob };
  }
}
