import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { sendFile, type FileBody } from '#kernel/http/answers/file-answer.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { ReturnsFile } from '#kernel/http/answers/returns.js';
import { REPOSITORY_READ } from '../repository-access.js';
import { CommitReadingService } from '../commits/commit-reading.service.js';
import { isFilePath, trimSlashes } from '../git/build-commit.js';
import { openArchive } from '../git/open-archive.js';
import { findEntry } from '../git/tree-entries.js';
import { ARCHIVE_FORMATS, GetArchiveParams } from './archive.params.js';

/** Response to archives above the limits. */
const TOO_LARGE = { 422: 'The tree has too many entries, or its files are too large' };

/** Archives of the code of a project. */
@Controller('api/v4/projects/:id/repository')
export class ArchiveController {
  constructor(private readonly reading: CommitReadingService) {}

  @Get('archive')
  @Access(REPOSITORY_READ)
  @ReturnsFile('The archive')
  @Refuses(TOO_LARGE)
  get(
    @CurrentProject() project: ProjectSubject,
    @Params() params: GetArchiveParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.send(project, params, response);
  }

  @Get('archive.:format')
  @Access(REPOSITORY_READ)
  @ReturnsFile('The archive')
  @Refuses(TOO_LARGE)
  getFormat(
    @CurrentProject() project: ProjectSubject,
    @Params() params: GetArchiveParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.send(project, params, response);
  }

  private async send(
    project: ProjectSubject,
    { format = 'tar.gz', sha, path: folder }: GetArchiveParams,
    response: Response,
  ): Promise<FileBody> {
    const { repository, id } = await this.reading.resolveOrDefault(project, sha, 'File');
    const path = trimSlashes(folder);
    if (path !== '' && !(isFilePath(path) && (await findEntry(repository.path, id, path))))
      throw notFound('File');
    const name = nameOf(project, sha, id, path);
    return sendFile(response, {
      name: `${name}.${format}`,
      type: 'application/octet-stream',
      open: () =>
        openArchive(repository.path, {
          commit: id,
          path,
          format: ARCHIVE_FORMATS[format],
          prefix: `${name}/`,
        }),
    });
  }
}

/**
 * Name of the archive, from project, requested ref and commit: v4 clients unpack into a folder of this name.
 */
function nameOf(
  { path, defaultBranch }: ProjectSubject,
  sha: string | undefined,
  id: string,
  folder: string,
): string {
  const asked = sha || defaultBranch || 'HEAD';
  const parts = [path, asked, id, ...(folder === '' ? [] : [folder])];
  return parts
    .map((part) => part.replace(/[^\w.+@-]/g, '-'))
    .join('-')
    .slice(0, 200);
}
