import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { importEmoji } from '#core/notes/exchange/emoji.js';
import { importMentions } from '#core/notes/exchange/import-mentions.js';
import { importNotes } from '#core/notes/exchange/import-notes.js';
import { StorageChoiceService } from '#core/projects/writes/storage-choice.service.js';
import { drawIds } from '#core/exchange/draw-ids.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { ImportedSnippet } from '../exchange/imported-snippet.js';
import { WriteImportedSnippetJob } from '../exchange/write-imported-snippet.job.js';

const WRITE = `insert into snippets (id, project_id, author_id, title, description, visibility, default_branch, repository_storage, created_at, updated_at)
  select r.id, $1, r.author, r.title, r.description, r.visibility, $2, r.storage, coalesce(r.created, now()), coalesce(r.updated, r.created, now())
  from json_to_recordset($3::json) as r(id bigint, author bigint, title text, description text, visibility text, storage text,
    created timestamptz, updated timestamptz)`;

const KEEP = `insert into imported_snippet_files (snippet_id, path, content) select r.snippet, r.path, decode(r.content, 'base64')
  from json_to_recordset($1::json) as r(snippet bigint, path text, content text)`;

/**
 * Imports snippets. Like all new snippets, they are visible once they have a repository: a job writes it from
 * staged files, so that an interruption cannot leave one without the other.
 */
@Injectable()
export class SnippetsImporter {
  constructor(
    private readonly settings: SettingsService,
    private readonly storages: StorageChoiceService,
    private readonly jobs: Jobs,
  ) {}

  /** Inserts the snippets; returns their ids in the same order. */
  async load(tx: Tx, target: ImportTarget, rows: readonly ImportedSnippet[]): Promise<number[]> {
    const { default_branch_name: branch, restricted_visibility_levels: restricted } = this.settings.values;
    const ids = await drawIds(tx, 'snippets', rows.length);
    const snippets = rows.map((row, at) => ({ ...row, id: ids[at] as number }));
    await importNotes(tx, target, 'Snippet', snippets);
    await importEmoji(tx, 'Snippet', snippets);
    await importMentions(
      tx,
      target,
      'Snippet',
      snippets.map(({ id, description: text }) => ({ noteableId: id, noteId: null, text })),
    );
    const values = snippets.map((row) => ({
      id: row.id,
      author: row.authorId,
      title: row.title,
      description: row.description,
      visibility: restricted.includes(row.visibility) ? 'private' : row.visibility,
      storage: this.storages.choose(),
      created: row.createdAt,
      updated: row.updatedAt,
    }));
    await tx.query(WRITE, [target.ownerId, branch, JSON.stringify(values)]);
    // One file at a time: all files of a snippet are too large for one JSON text.
    for (const { id: snippet, files } of snippets)
      for (const file of files) await tx.query(KEEP, [JSON.stringify([{ snippet, ...file }])]);
    for (const { title, missingFiles: count } of snippets)
      if (count > 0)
        await target.report(tx, {
          title,
          message: `${count} of its files are larger than a record can carry`,
        });
    await this.jobs.enqueueAll(
      tx,
      WriteImportedSnippetJob,
      ids.map((snippetId) => ({ snippetId })),
    );
    return ids;
  }
}
