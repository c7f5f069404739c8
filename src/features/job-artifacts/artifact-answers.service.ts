import { extname, posix } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { notFound } from '#kernel/http/errors.js';
import { sendFile, type FileBody } from '#kernel/http/answers/file-answer.js';
import { ObjectAnswers, type SendOptions } from '#kernel/object-storage/object-answers.js';
import { ArchiveFilesService, isLost } from '#core/ci/artifacts/archive/archive-files.service.js';
import type { Archive } from '#core/ci/artifacts/archives.queries.js';

/** Sends archives and single files from them; lost or damaged content becomes 404. */
@Injectable()
export class ArtifactAnswersService {
  constructor(
    private readonly objects: ObjectAnswers,
    private readonly files: ArchiveFilesService,
  ) {}

  /** Sends the archive, or the requested range. */
  sendArchive(
    request: Request,
    response: Response,
    archive: Archive,
    options?: SendOptions,
  ): Promise<FileBody> {
    const { filename: name, size, sha256, createdAt: modifiedAt, objectKey: key } = archive;
    response.setHeader('Content-Transfer-Encoding', 'binary');
    const file = { key, name, type: 'application/zip', size, sha256, modifiedAt };
    return this.objects.send(request, response, file, options).catch(asNotFound);
  }

  /** Sends a file of an archive with the content type of its name, always as a download. @throws 404 */
  async sendEntry(response: Response, archive: Archive, path: string): Promise<FileBody> {
    const file = await this.files.find(archive, path);
    if (!file) throw notFound('Artifact');
    const { size } = file.location;
    const [name, type] = [posix.basename(path), typeOfName(response, path)];
    return sendFile(response, { name, type, size, open: () => this.files.open(file) }).catch(asNotFound);
  }
}

/** JSON has no charset; other types are those of Express. */
function typeOfName(response: Response, path: string): string {
  const extension = extname(path).slice(1).toLowerCase();
  if (extension === 'json') return 'application/json';
  return String(response.type(extension === '' ? 'bin' : extension).getHeader('Content-Type'));
}

function asNotFound(error: unknown): never {
  throw isLost(error) ? notFound('Artifact') : error;
}
