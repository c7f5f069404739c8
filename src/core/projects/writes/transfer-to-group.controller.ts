import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type UserCaller, type GroupSubject, CurrentCaller, CurrentGroup } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { GroupDetailRecord } from '#core/groups/group.record.js';
import { GroupsPresenter } from '#core/groups/groups.presenter.js';
import { TransferToGroupParams } from '../projects.params.js';
import { ProjectsQueries } from '../projects.queries.js';
import { TransferProject } from './transfer-project.use-case.js';

/** Transfers projects into a group, for administrators. */
@Controller('api/v4/groups/:id/projects')
export class TransferToGroupController {
  constructor(
    private readonly transfers: TransferProject,
    private readonly groups: GroupsPresenter,
    private readonly queries: ProjectsQueries,
  ) {}

  @Post(':project_id')
  @Access({ group: Role.Admin })
  @Returns(GroupDetailRecord, 201)
  async transfer(
    @CurrentGroup() group: GroupSubject,
    @CurrentCaller() caller: UserCaller,
    @Params() params: TransferToGroupParams,
  ): Promise<GroupDetailRecord> {
    const id = await this.queries.findId(params.project_id);
    await this.transfers.run(id, caller.actor, group.id);
    return this.groups.detail(group.id, caller, caller.role);
  }
}
