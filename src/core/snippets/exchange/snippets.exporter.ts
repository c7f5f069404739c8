import { Injectable } from '@nestjs/common';
import { isUtf8 } from 'node:buffer';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { emojiJson } from '#core/notes/exchange/emoji.js';
import { notesJson } from '#core/notes/exchange/note-json.sql.js';
import { peel } from '#core/repositories/git/resolve.js';
import { readBlobs } from '#core/repositories/git/read-blobs.js';
import type { TreeEntry } from '#core/repositories/git/tree-entries.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import type { ExportedRow } from '#core/exchange/relation-export.js';
import { listFiles } from '../files/snippet-files.js';
import { FINISHED } from '../snippet.row.js';

/** Snippets per page whose files are read. */
const AT_ONCE = 50;
/** Bytes of files after which a page ends. */
const PAGE_BYTES = 8 * 1024 * 1024;
/**
 * Limit of bytes of files per record: in base64 they stay below the 50 MB that v4 servers accept per line.
 */
const RECORD_BYTES = 32 * 1024 * 1024;

const ROWS = `select s.id, s.default_branch as branch, json_build_object('id', s.id, 'title', s.title, 'description', s.description,
    'visibility_level', case s.visibility when 'public' then 20 when 'internal' then 10 else 0 end, 'author_id', s.author_id,
    'created_at', ${isoTimeSql('s.created_at')}, 'updated_at', ${isoTimeSql('s.updated_at')}, 'notes', ${notesJson('Snippet', 's.id')},
    'award_emoji', ${emojiJson('Snippet', 's.id')}) as record
  from snippets s where s.project_id = $1 and ${FINISHED} and s.id > $2 order by s.id limit $3`;

interface Row {
  readonly id: number;
  readonly branch: string;
  readonly record: object;
}

interface File {
  readonly path: string;
  readonly content: Buffer;
}

/** Exports snippets of projects with their files. */
@Injectable()
export class SnippetsExporter {
  constructor(
    private readonly database: ReadDatabase,
    private readonly repositories: RepositoriesService,
  ) {}

  /**
   * Returns up to `limit` snippets of a project with an id above `afterId`; fewer if their files are large.
   */
  async page(ownerId: number, afterId: number, limit: number): Promise<ExportedRow[]> {
    const rows = await this.database.long<Row>(ROWS, [ownerId, afterId, Math.min(limit, AT_ONCE)]);
    const page: ExportedRow[] = [];
    let bytes = 0;
    for (const { id, branch, record } of rows) {
      const { files, leftOut } = await this.files(id, branch);
      page.push({ id, json: JSON.stringify({ ...record, ...filesOf(files), files_left_out: leftOut }) });
      bytes += sizeOf(files);
      if (bytes > PAGE_BYTES) break;
    }
    return page;
  }

  private async files(id: number, branch: string): Promise<{ files: File[]; leftOut: number }> {
    const { path } = await this.repositories.open(snippetRepository(id));
    const head = await peel(path, `refs/heads/${branch}`);
    const entries = (head === null ? null : await listFiles(path, head)) ?? [];
    let room = RECORD_BYTES;
    const carried: TreeEntry[] = [];
    for (const entry of entries) {
      if (entry.type !== 'blob' || entry.size === null || entry.size > room) continue;
      room -= entry.size;
      carried.push(entry);
    }
    const blobs = await readBlobs(
      path,
      carried.map((entry) => entry.id),
      RECORD_BYTES,
    );
    const files = carried.flatMap((entry, at) => {
      const content = blobs[at];
      return content ? [{ path: entry.path, content }] : [];
    });
    return { files, leftOut: entries.length - files.length };
  }
}

const sizeOf = (files: readonly File[]): number =>
  files.reduce((sum, { content }) => sum + content.length, 0);

/**
 * Returns all files for other instances of this product; for v4 servers, which take repositories separately,
 * only the first one as text.
 */
function filesOf(files: readonly File[]): object {
  const [first] = files;
  const isText = first && isUtf8(first.content) && first.content.length <= PAGE_BYTES;
  return {
    file_name: first?.path ?? null,
    content: isText ? first.content.toString('utf8') : null,
    files: files.map(({ path, content }) => ({ path, content: content.toString('base64') })),
  };
}
