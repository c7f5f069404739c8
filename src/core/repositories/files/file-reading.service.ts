import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { createHash } from 'node:crypto';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { CommitReadingService } from '../commits/commit-reading.service.js';
import { openBlob } from '../git/blobs.js';
import { isFilePath } from '../git/build-commit.js';
import { gitText } from '../git/git.js';
import { findEntry, LITERAL_PATHS, type TreeEntry } from '../git/tree-entries.js';
import type { FindFileParams } from './files.params.js';
import type { FileRecord } from './file.record.js';

/** The file that a request names. */
export interface FoundFile {
  readonly repositoryPath: string;
  readonly commitId: string;
  readonly entry: TreeEntry & { readonly size: number };
  /** The requested ref. */
  readonly ref: string;
}

/** Attributes of a file without its content. */
export type FileFacts = Omit<FileRecord, 'content'>;

/** Finds files in the code of a project. */
@Injectable()
export class FileReadingService {
  constructor(private readonly reading: CommitReadingService) {}

  /** Finds a file. @throws 404 if the ref does not exist, or has no such file */
  async find(project: ProjectSubject, { file_path: path, ref }: FindFileParams): Promise<FoundFile> {
    const { repository, id } = await this.reading.resolveOrDefault(project, ref, 'Commit');
    const entry = isFilePath(path) ? await findEntry(repository.path, id, path) : null;
    if (entry?.type !== 'blob') throw notFound('File');
    const file = { ...entry, size: entry.size ?? 0 };
    return { repositoryPath: repository.path, commitId: id, entry: file, ref: ref || 'HEAD' };
  }

  /** Returns the last commit that changed a file. */
  lastCommitId({ repositoryPath, commitId, entry }: FoundFile): Promise<string> {
    const args = ['log', '-1', '--format=%H', commitId, '--', entry.path];
    return gitText(repositoryPath, args, { env: LITERAL_PATHS });
  }

  /** Sets the attributes of a file as headers, for answers that have another body. */
  async setHeaders(response: Response, file: FoundFile): Promise<void> {
    const lastCommitId = await this.lastCommitId(file);
    setFileHeaders(response, describeFile(file, { digest: await this.digest(file), lastCommitId }));
  }

  /** Computes the digest of a file without reading it into memory. */
  async digest({ repositoryPath, entry }: FoundFile): Promise<string> {
    const digest = createHash('sha256');
    for await (const part of await openBlob(repositoryPath, entry)) digest.update(part as Buffer);
    return digest.digest('hex');
  }
}

/** Returns the attributes of a file. */
export const describeFile = (
  { commitId, entry, ref }: FoundFile,
  { digest, lastCommitId }: { readonly digest: string; readonly lastCommitId: string },
): FileFacts => ({
  file_name: entry.path.slice(entry.path.lastIndexOf('/') + 1),
  file_path: entry.path,
  size: entry.size,
  encoding: 'base64',
  content_sha256: digest,
  ref,
  blob_id: entry.id,
  commit_id: commitId,
  last_commit_id: lastCommitId,
  execute_filemode: entry.mode === '100755',
});

/**
 * Sets the attributes as headers too, as v4 does: `X-Gitlab-File-Path` and so on. Header values are limited
 * to Latin letters.
 */
export function setFileHeaders(response: Response, facts: FileFacts): void {
  for (const [name, value] of Object.entries(facts)) {
    const header = name.replace(/(^|_)([a-z])/g, (_all, _line, letter: string) => `-${letter.toUpperCase()}`);
    const text = String(value).replace(/[^\x20-\x7e]/g, (sign) => encodeURIComponent(sign.toWellFormed()));
    response.setHeader(`X-Gitlab${header}`, text);
  }
}
