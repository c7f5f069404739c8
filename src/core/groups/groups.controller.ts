import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type Caller,
  type UserCaller,
  type GroupCaller,
  type GroupSubject,
  CurrentCaller,
  CurrentGroup,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ACCEPTED, MessageRecord } from '#kernel/http/message.record.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { DeleteGroup } from './deletion/delete-group.use-case.js';
import { GroupDetailRecord, GroupRecord } from './group.record.js';
import {
  CreateGroupParams,
  DeleteGroupParams,
  ListGroupsParams,
  ShowGroupParams,
  UpdateGroupParams,
} from './groups.params.js';
import { GroupsPresenter } from './groups.presenter.js';
import { GroupsQueries } from './groups.queries.js';
import { GroupsService } from './groups.service.js';

/** Groups (`auth-core.md` 6.2). */
@Controller('api/v4/groups')
export class GroupsController {
  constructor(
    private readonly groups: GroupsService,
    private readonly deletion: DeleteGroup,
    private readonly queries: GroupsQueries,
    private readonly presenter: GroupsPresenter,
  ) {}

  @Get()
  @Access({ anyone: true })
  @ReturnsList(GroupRecord)
  list(
    @CurrentCaller() caller: Caller,
    @Params() params: ListGroupsParams,
    @Paged() page: Page,
  ): Promise<GroupRecord[]> {
    return this.presenter.page(this.queries.list(caller.actor, params), page, caller, params.statistics);
  }

  @Post()
  @Access({ user: true })
  @Returns(GroupDetailRecord, 201)
  async create(
    @CurrentCaller() caller: UserCaller,
    @Params() params: CreateGroupParams,
  ): Promise<GroupDetailRecord> {
    return this.presenter.detail(await this.groups.create(caller, params), caller, Role.Owner);
  }

  @Get(':id')
  @Access({ anyone: true, group: Role.Minimal, publicRead: true })
  @Returns(GroupDetailRecord)
  find(
    @CurrentCaller() caller: Caller,
    @CurrentGroup() group: GroupSubject,
    @Params() { with_projects: withProjects }: ShowGroupParams,
  ): Promise<GroupDetailRecord> {
    return this.presenter.detail(group.id, caller, caller.role, withProjects);
  }

  @Put(':id')
  @Access({ group: Role.Owner })
  @Returns(GroupDetailRecord)
  async update(
    @CurrentCaller() caller: UserCaller,
    @CurrentGroup() group: GroupSubject,
    @Params() params: UpdateGroupParams,
  ): Promise<GroupDetailRecord> {
    await this.groups.update(caller, group.id, params);
    return this.presenter.detail(group.id, caller, caller.role);
  }

  @Delete(':id')
  @Access({ group: Role.Owner })
  @Returns(MessageRecord, 202)
  async remove(
    @CurrentCaller() caller: GroupCaller,
    @Params() { permanently_remove: isPermanent = false }: DeleteGroupParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<MessageRecord> {
    await this.deletion.remove(caller, isPermanent, unmodified);
    return ACCEPTED;
  }

  @Get(':id/subgroups')
  @Access({ anyone: true, group: Role.Minimal, publicRead: true })
  @ReturnsList(GroupRecord)
  subgroups(
    @CurrentCaller() caller: Caller,
    @CurrentGroup() group: GroupSubject,
    @Params() params: ListGroupsParams,
    @Paged() page: Page,
  ): Promise<GroupRecord[]> {
    const list = this.queries.subgroups(group.id, caller.actor, params);
    return this.presenter.page(list, page, caller, params.statistics);
  }

  @Get(':id/descendant_groups')
  @Access({ anyone: true, group: Role.Minimal, publicRead: true })
  @ReturnsList(GroupRecord)
  descendants(
    @CurrentCaller() caller: Caller,
    @CurrentGroup() group: GroupSubject,
    @Params() params: ListGroupsParams,
    @Paged() page: Page,
  ): Promise<GroupRecord[]> {
    const list = this.queries.descendants(group.id, caller.actor, params);
    return this.presenter.page(list, page, caller, params.statistics);
  }
}
