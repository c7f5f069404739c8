import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { SnippetAccessQueries } from '#core/snippets/access/snippet-access.queries.js';
import { mayReadSnippet } from '#core/snippets/access/snippet-rights.js';
import {
  factsOf,
  OF_LIVE_PROJECT,
  rightsColumns,
  SNIPPET_FROM,
  type SnippetRightsRow,
} from '#core/snippets/snippet.row.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import type { Noteable, NoteableContribution } from './noteable.js';
import { NoteableRegistry } from './noteable.registry.js';

interface ReaderRow extends SnippetRightsRow {
  readonly reader: Actor;
}

const READERS = `select ${rightsColumns('r.id')}, jsonb_build_object('id', r.id, 'admin', ${isAdminSql('r')}, 'external', r.external) as reader
  from ${SNIPPET_FROM} join users r on r.id = any($2::bigint[]) and r.state = 'active' where s.id = $1 and ${OF_LIVE_PROJECT}`;

/** Makes snippets noteables; their notes are accessed by their projects. */
@Injectable()
export class SnippetNoteableContribution implements NoteableContribution, OnModuleInit {
  readonly type = 'Snippet';

  constructor(
    private readonly noteables: NoteableRegistry,
    private readonly snippets: SnippetAccessQueries,
    private readonly database: ReadDatabase,
  ) {}

  onModuleInit(): void {
    this.noteables.register(this);
  }

  async find({ actor, subject }: Caller, ref: number | string): Promise<Noteable> {
    const snippet = await this.snippets.findOrNull(Number(ref), actor);
    if (!snippet?.mayRead || snippet.projectId !== subject?.id) throw notFound('Snippet');
    return {
      type: 'Snippet',
      id: snippet.id,
      iid: null,
      commitId: null,
      projectId: snippet.projectId,
      groupId: null,
      title: snippet.title,
      authorId: snippet.authorId,
      webPath: `/${snippet.projectFullPath ?? ''}/-/snippets/${snippet.id}`,
      reader: actor,
      hasSources: false,
      mayComment: actor !== null,
      mayReadInternal: false,
      mayAdminNotes: snippet.role >= Role.Maintainer,
    };
  }

  async readersAmong(id: number, userIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.database.long<ReaderRow>(READERS, [id, userIds]);
    const readers = rows.filter((row) => {
      const role = row.reader.admin ? Role.Admin : (row.role ?? Role.None);
      return mayReadSnippet(factsOf(row, role), row.reader);
    });
    return new Set(readers.map(({ reader }) => reader.id));
  }
}
