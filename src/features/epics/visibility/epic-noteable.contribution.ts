import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { GroupCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import type { Noteable, NoteableContribution } from '#core/notes/noteables/noteable.js';
import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import { EpicFinder, type EpicFacts } from './epic.finder.js';
import { seesInternalSql } from '#core/users/person.sql.js';

const READERS = `select r.id from (
    select u.id, case when ${isAdminSql('u')} then ${Role.Admin} else ${groupRoleSql('u.id', 'n')} end as role, e.confidential,
      n.visibility = 'public' or n.visibility = 'internal' and ${seesInternalSql('u')} as is_open
    from epics e join namespaces n on n.id = e.group_id and not n.pending_delete
    join users u on u.id = any($2::bigint[]) and u.state = 'active' and not u.pending_delete where e.id = $1) r
  where (r.is_open or r.role >= ${Role.Guest}) and (r.role >= ${Role.Reporter} or not r.confidential and not $3::boolean)`;

const ROLE = groupRoleSql('?::bigint', 'n');

/** Makes epics noteables; paths of their notes contain their ids (`planning.md` 5.5). */
@Injectable()
export class EpicNoteableContribution implements NoteableContribution, OnModuleInit {
  readonly type = 'Epic';

  constructor(
    private readonly noteables: NoteableRegistry,
    private readonly access: EpicFinder,
    private readonly database: ReadDatabase,
  ) {}

  onModuleInit(): void {
    this.noteables.register(this);
  }

  async find(caller: GroupCaller, ref: number | string): Promise<Noteable> {
    return noteableOf(caller, await this.access.findById(caller, Number(ref)));
  }

  async findAwardable(caller: GroupCaller, ref: number, noteId: number | null): Promise<Noteable> {
    const epic =
      noteId === null
        ? await this.access.find(caller, ref)
        : await this.access.findByNote(caller, ref, noteId);
    return noteableOf(caller, epic);
  }

  async readersAmong(
    id: number,
    userIds: readonly number[],
    internal: boolean,
  ): Promise<ReadonlySet<number>> {
    const rows = await this.database.long<{ id: number }>(READERS, [id, userIds, internal]);
    return new Set(rows.map((row) => row.id));
  }

  readable(reader: Actor | null, id: string): SqlPiece {
    const found = `select 1 from epics e join namespaces n on n.id = e.group_id and not n.pending_delete where e.id = ${id}`;
    if (reader?.admin) return { sql: `exists (${found})`, values: [] };
    if (!reader)
      return { sql: `exists (${found} and n.visibility = 'public' and not e.confidential)`, values: [] };
    const isOpen = reader.external ? `n.visibility = 'public'` : `n.visibility in ('public', 'internal')`;
    const sql = `exists (${found} and (not e.confidential and (${isOpen} or ${ROLE} >= ${Role.Guest}) or ${ROLE} >= ${Role.Reporter}))`;
    return { sql, values: Array.from({ length: sql.split('?').length - 1 }, () => reader.id) };
  }
}

function noteableOf({ actor, role, subject }: GroupCaller, epic: EpicFacts): Noteable {
  return {
    type: 'Epic',
    id: epic.id,
    iid: epic.iid,
    commitId: null,
    projectId: null,
    groupId: epic.group_id,
    title: epic.title,
    authorId: epic.author_id,
    webPath: `/groups/${subject.fullPath}/-/epics/${epic.iid}`,
    reader: actor,
    hasSources: epic.has_sources,
    mayComment: actor !== null,
    mayReadInternal: role >= Role.Reporter,
    mayAdminNotes: role >= Role.Maintainer,
  };
}
