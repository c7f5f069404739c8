import { Injectable, StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';
import { basename } from 'node:path';
import { NotFound } from '#kernel/http/errors.js';
import { isFilePath } from '#core/repositories/git/build-commit.js';
import { peel, resolveCommit } from '#core/repositories/git/resolve.js';
import { streamGit } from '#core/repositories/git/stream-git.js';
import { findEntry, type TreeEntry } from '#core/repositories/git/tree-entries.js';
import { Repositories } from '#core/repositories/repositories.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import { listFiles } from './snippet-files.js';
import type { SnippetRow } from './snippet.row.js';

/** Hands out files of snippets as they are, always as plain text to be saved: nothing of them runs in a browser. */
@Injectable()
export class SnippetRaw {
  constructor(private readonly repositories: Repositories) {}

  /** The first file of the newest version. @throws 404 */
  async first(snippet: SnippetRow): Promise<StreamableFile> {
    const { path } = await this.repositories.open(snippetRepository(snippet.id));
    const head = await peel(path, `refs/heads/${snippet.default_branch}`);
    const files = head === null ? null : await listFiles(path, head);
    return send(path, files?.find(({ type }) => type === 'blob') ?? null);
  }

  /** One file of the version that a branch or commit names. @throws 404 "Reference" or "File" */
  async file(snippet: SnippetRow, ref: string, filePath: string): Promise<StreamableFile> {
    const { path } = await this.repositories.open(snippetRepository(snippet.id));
    const commit = await resolveCommit(path, ref);
    if (commit === null) throw NotFound('Reference');
    return send(path, isFilePath(filePath) ? await findEntry(path, commit, filePath) : null);
  }
}

async function send(repositoryPath: string, entry: TreeEntry | null): Promise<StreamableFile> {
  if (entry?.type !== 'blob' || entry.size === null) throw NotFound('File');
  const content =
    entry.size === 0 ? Readable.from([]) : await streamGit(repositoryPath, ['cat-file', 'blob', entry.id]);
  return new StreamableFile(content, {
    type: 'text/plain; charset=utf-8',
    disposition: attachment(basename(entry.path)),
    length: entry.size,
  });
}

/** RFC 6266: what is not plain in a name is given in its encoded form only. */
const attachment = (name: string): string =>
  `attachment; filename="${name.replace(/[^\w .+-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, percent)}`;

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
