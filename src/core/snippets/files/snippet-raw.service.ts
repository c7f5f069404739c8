import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { basename } from 'node:path';
import { notFound } from '#kernel/http/errors.js';
import { sendFile, type FileBody } from '#kernel/http/answers/file-answer.js';
import { openBlob } from '#core/repositories/git/blobs.js';
import { isFilePath } from '#core/repositories/git/build-commit.js';
import { peel, resolveCommit } from '#core/repositories/git/resolve.js';
import { findEntry, type TreeEntry } from '#core/repositories/git/tree-entries.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import { listFiles } from './snippet-files.js';
import type { SnippetRow } from '../snippet.row.js';
import type { FindSnippetFileParams } from '../snippets.params.js';

/** Sends files of snippets unchanged, always as plain text to download, so that nothing runs in a browser. */
@Injectable()
export class SnippetRawService {
  constructor(private readonly repositories: RepositoriesService) {}

  /** Sends the first file of the newest version. @throws 404 */
  async first(response: Response, snippet: SnippetRow): Promise<FileBody> {
    const { path } = await this.repositories.open(snippetRepository(snippet.id));
    const head = await peel(path, `refs/heads/${snippet.default_branch}`);
    const files = head === null ? null : await listFiles(path, head);
    return send(response, path, files?.find(({ type }) => type === 'blob') ?? null);
  }

  /** Sends a file of the version of a branch or commit. @throws 404 "Reference" or "File" */
  async file(
    response: Response,
    snippet: SnippetRow,
    { ref, file_path: filePath }: FindSnippetFileParams,
  ): Promise<FileBody> {
    const { path } = await this.repositories.open(snippetRepository(snippet.id));
    const commit = await resolveCommit(path, ref);
    if (commit === null) throw notFound('Reference');
    return send(response, path, isFilePath(filePath) ? await findEntry(path, commit, filePath) : null);
  }
}

async function send(response: Response, repositoryPath: string, entry: TreeEntry | null): Promise<FileBody> {
  if (entry?.type !== 'blob' || entry.size === null) throw notFound('File');
  const blob = { id: entry.id, size: entry.size };
  return sendFile(response, {
    name: basename(entry.path),
    type: 'text/plain; charset=utf-8',
    size: blob.size,
    open: () => openBlob(repositoryPath, blob),
  });
}
