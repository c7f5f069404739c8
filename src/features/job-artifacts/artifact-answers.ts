import { extname, posix } from 'node:path';
import { Injectable, type StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotFound } from '#kernel/http/errors.js';
import { sendFile } from '#kernel/http/file-answer.js';
import { sendRanged } from '#kernel/http/ranged-answer.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { ArchiveFiles, isLost } from '#core/ci/artifacts/archive/archive-files.js';
import type { Archive } from '#core/ci/artifacts/archives.queries.js';

type File = Promise<StreamableFile | undefined>;

/** Answers archives and single files out of them; content that is lost or damaged is answered with 404. */
@Injectable()
export class ArtifactAnswers {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly files: ArchiveFiles,
  ) {}

  /** The whole archive, or the part of it that is asked for. */
  sendArchive(request: Request, response: Response, archive: Archive): File {
    const { filename: name, size, sha256, createdAt: modifiedAt, objectKey } = archive;
    response.setHeader('Content-Transfer-Encoding', 'binary');
    return sendRanged(request, response, {
      name,
      type: 'application/zip',
      size,
      sha256,
      modifiedAt,
      open: (part) =>
        part ? this.storage.range(objectKey, part.start, part.end) : this.storage.get(objectKey),
    }).catch(asNotFound);
  }

  /** One file of an archive, of the type that its name says: saved, never shown. @throws 404 */
  async sendEntry(response: Response, archive: Archive, path: string): File {
    const file = await this.files.find(archive, path);
    if (!file) throw NotFound('Artifact');
    const { size } = file.location;
    const [name, type] = [posix.basename(path), typeOfName(response, path)];
    return sendFile(response, { name, type, size, open: () => this.files.open(file) }).catch(asNotFound);
  }
}

/** JSON has no charset; everything else is what Express takes it for. */
function typeOfName(response: Response, path: string): string {
  const extension = extname(path).slice(1).toLowerCase();
  if (extension === 'json') return 'application/json';
  return String(response.type(extension === '' ? 'bin' : extension).getHeader('Content-Type'));
}

function asNotFound(error: unknown): never {
  throw isLost(error) ? NotFound('Artifact') : error;
}
