import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ProjectCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { ProjectReadersQueries, userReadsSql } from '#core/issuables/project-readers.queries.js';
import type { Noteable, NoteableContribution } from '#core/notes/noteables/noteable.js';
import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import { readableProjects, type SqlPiece } from '#core/projects/lists/readable-projects.js';
import { MergeRequestFinder } from './merge-request.finder.js';
import { mergeRequestPath } from './records/merge-request-simple.record.js';

const PROJECT = 'select m.project_id from merge_requests m where m.id = $1';

const READERS = `exists (select 1 from merge_requests m join projects p on p.id = m.project_id join namespaces n on n.id = p.namespace_id
  where m.id = ? and ${userReadsSql('merge_requests', Role.Reporter)})`;

/** Makes merge requests noteables. */
@Injectable()
export class MergeRequestNoteableContribution implements NoteableContribution, OnModuleInit {
  readonly type = 'MergeRequest';

  constructor(
    private readonly noteables: NoteableRegistry,
    private readonly access: MergeRequestFinder,
    private readonly readers: ProjectReadersQueries,
    private readonly database: ReadDatabase,
  ) {}

  onModuleInit(): void {
    this.noteables.register(this);
  }

  async find(caller: ProjectCaller, ref: number | string): Promise<Noteable> {
    const { id, iid, title, authorId, discussionLocked, hasSources } = await this.access.find(
      caller,
      Number(ref),
    );
    const { actor, role } = caller;
    const { id: projectId, fullPath } = caller.subject;
    return {
      type: 'MergeRequest',
      id,
      iid,
      commitId: null,
      projectId,
      groupId: null,
      title,
      authorId,
      webPath: mergeRequestPath(fullPath, iid),
      reader: actor,
      hasSources,
      mayComment: actor !== null && (!discussionLocked || role >= Role.Guest),
      mayReadInternal: role >= Role.Reporter,
      mayAdminNotes: role >= Role.Maintainer,
    };
  }

  async readersAmong(
    id: number,
    userIds: readonly number[],
    internal: boolean,
  ): Promise<ReadonlySet<number>> {
    const found = await this.database.one<{ project_id: number }>(PROJECT, [id]);
    if (!found) return new Set();
    const roles = await this.readers.among(found.project_id, userIds, 'merge_requests', Role.Reporter);
    return new Set([...roles].filter(([, role]) => !internal || role >= Role.Reporter).map(([user]) => user));
  }

  readableBy(id: number): SqlPiece {
    return { sql: READERS, values: [id] };
  }

  readable(reader: Actor | null, id: string): SqlPiece {
    const { sql, values } = readableProjects(reader, 'merge_requests', Role.Reporter);
    const found = `select 1 from merge_requests m join projects p on p.id = m.project_id where m.id = ${id} and ${sql}`;
    return { sql: `exists (${found})`, values };
  }
}
