import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { hash } from 'node:crypto';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { badRequest, invalid } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { sendFile, type FileBody } from '#kernel/http/answers/file-answer.js';
import { Returns, ReturnsFile, ReturnsList } from '#kernel/http/answers/returns.js';
import { FILE_READ } from '../repository-access.js';
import { MAX_JSON_BLOB, openBlob, withBlob } from '../git/blobs.js';
import { blame } from './blame.js';
import { describeFile, FileReadingService, setFileHeaders } from './file-reading.service.js';
import { BlameRecord, FileRecord } from './file.record.js';
import { BlameFileParams, FindFileParams } from './files.params.js';

/** Files in the code of a project. */
@Controller('api/v4/projects/:id/repository/files/:file_path')
export class FilesController {
  constructor(private readonly reading: FileReadingService) {}

  @Get()
  @Access(FILE_READ)
  @Returns(FileRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @Params() params: FindFileParams,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileRecord> {
    const file = await this.reading.find(project, params);
    // Look this up before the content is in memory: a walk through the history may take time.
    const lastCommitId = await this.reading.lastCommitId(file);
    const record = (digest: string, content: string): FileRecord => {
      const facts = describeFile(file, { digest, lastCommitId });
      setFileHeaders(response, facts);
      return { ...facts, content };
    };
    // A HEAD request also succeeds for large files.
    if (request.method === 'HEAD' && file.entry.size > MAX_JSON_BLOB)
      return record(await this.reading.digest(file), '');
    return withBlob(file.repositoryPath, file.entry, (content) =>
      record(hash('sha256', content), content.toString('base64')),
    );
  }

  @Get('raw')
  @Access(FILE_READ)
  @ReturnsFile()
  async raw(
    @CurrentProject() project: ProjectSubject,
    @Params() params: FindFileParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    const file = await this.reading.find(project, params);
    await this.reading.setHeaders(response, file);
    const { repositoryPath, entry } = file;
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1);
    return sendFile(response, { name, size: entry.size, open: () => openBlob(repositoryPath, entry) });
  }

  @Get('blame')
  @Access(FILE_READ)
  @ReturnsList(BlameRecord)
  async blame(
    @CurrentProject() project: ProjectSubject,
    @Params() params: BlameFileParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BlameRecord[]> {
    const { range } = params;
    if (range && range.end < range.start) throw invalid({ range: { end: ['is before start'] } });
    const file = await this.reading.find(project, params);
    if (file.entry.size > MAX_JSON_BLOB) throw badRequest('The file is larger than 10 MiB');
    await this.reading.setHeaders(response, file);
    return blame(file, range);
  }
}
