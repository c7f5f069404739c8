import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller, GroupSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { groupRoleSql } from '#core/members/role-sql.js';
import type { Noteable, NoteableSource } from '#core/notes/noteable.js';
import { Noteables } from '#core/notes/noteables.js';
import { EpicAccess } from './epic-access.js';

const READERS = `select r.id from (
    select u.id, case when u.admin then ${Role.Admin} else ${groupRoleSql('u.id', 'n')} end as role, e.confidential,
      n.visibility = 'public' or n.visibility = 'internal' and not u.external and u.user_type not in ('project_bot', 'group_bot') as is_open
    from epics e join namespaces n on n.id = e.group_id and not n.pending_delete
    join users u on u.id = any($2::bigint[]) and u.state = 'active' and not u.pending_delete where e.id = $1) r
  where (r.is_open or r.role > 0) and (r.role >= ${Role.Reporter} or not r.confidential and not $3::boolean)`;

/** Epics as things to talk about; the paths of their notes name them by their ids (`planning.md` 5.5). */
@Injectable()
export class EpicNoteables implements NoteableSource, OnModuleInit {
  readonly type = 'Epic';

  constructor(
    private readonly noteables: Noteables,
    private readonly access: EpicAccess,
    private readonly database: ReadDatabase,
  ) {}

  onModuleInit(): void {
    this.noteables.register(this);
  }

  async find(caller: Caller, ref: number | string): Promise<Noteable> {
    const epic = await this.access.findById(caller, Number(ref));
    const { fullPath } = caller.subject as GroupSubject;
    return {
      type: 'Epic',
      id: epic.id,
      iid: epic.iid,
      commitId: null,
      projectId: null,
      groupId: epic.group_id,
      title: epic.title,
      authorId: epic.author_id,
      webPath: `/groups/${fullPath}/-/epics/${epic.iid}`,
      mayComment: caller.actor !== null,
      mayReadInternal: caller.role >= Role.Reporter,
      mayAdminNotes: caller.role >= Role.Maintainer,
    };
  }

  async readersAmong(
    id: number,
    userIds: readonly number[],
    internal: boolean,
  ): Promise<ReadonlySet<number>> {
    const rows = await this.database.long<{ id: number }>(READERS, [id, userIds, internal]);
    return new Set(rows.map((row) => row.id));
  }
}
