import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type UserCaller, type GroupSubject, CurrentCaller, CurrentGroup } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { GroupDetailRecord } from '#core/groups/group.record.js';
import { GroupsPresenter } from '#core/groups/groups.presenter.js';
import { TransferToGroupParams } from '../projects.params.js';
import { TransferProject } from './transfer-project.use-case.js';

const PROJECT = `select p.id from projects p where not p.pending_delete and p.id = case when $1 ~ '^[0-9]{1,18}$' then $1::bigint
  else (select r.source_id from routes r where r.path = lower($1) and r.source_type = 'Project') end`;

/** Transfers projects into a group, for administrators. */
@Controller('api/v4/groups/:id/projects')
export class TransferToGroupController {
  constructor(
    private readonly transfers: TransferProject,
    private readonly groups: GroupsPresenter,
    private readonly database: ReadDatabase,
  ) {}

  @Post(':project_id')
  @Access({ group: Role.Admin })
  @Returns(GroupDetailRecord, 201)
  async transfer(
    @CurrentGroup() group: GroupSubject,
    @CurrentCaller() caller: UserCaller,
    @Params() params: TransferToGroupParams,
  ): Promise<GroupDetailRecord> {
    const project = await this.database.one<{ id: number }>(PROJECT, [params.project_id]);
    if (!project) throw notFound('Project');
    await this.transfers.run(project.id, caller.actor, group.id);
    return this.groups.detail(group.id, caller, caller.role);
  }
}
