import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type UserCaller, type SubjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AddMembers } from './writes/add-members.js';
import { ChangeMembers } from './writes/change-members.js';
import { AddedMembersRecord, MemberRecord } from './member.record.js';
import {
  AddMemberParams,
  ListAllMembersParams,
  ListMembersParams,
  NamedMemberParams,
  RemoveMemberParams,
  UpdateMemberParams,
} from './members.params.js';
import { MembersPresenter } from './members.presenter.js';

/** Members of projects. */
@Controller('api/v4/projects')
export class ProjectMembersController {
  constructor(
    private readonly members: MembersPresenter,
    private readonly adding: AddMembers,
    private readonly changing: ChangeMembers,
  ) {}

  @Get(':id/members')
  @Access({ project: Role.Guest, publicRead: true })
  @ReturnsList(MemberRecord)
  list(
    @CurrentCaller() caller: SubjectCaller,
    @Params() params: ListMembersParams,
    @Paged() page: Page,
  ): Promise<MemberRecord[]> {
    return this.members.list(caller, params, page);
  }

  @Get(':id/members/all')
  @Access({ project: Role.Guest, publicRead: true })
  @ReturnsList(MemberRecord)
  listAll(
    @CurrentCaller() caller: SubjectCaller,
    @Params() params: ListAllMembersParams,
    @Paged() page: Page,
  ): Promise<MemberRecord[]> {
    return this.members.listAll(caller, params, page);
  }

  @Get(':id/members/all/:user_id')
  @Access({ project: Role.Guest, publicRead: true })
  @Returns(MemberRecord)
  findInAll(
    @CurrentCaller() caller: SubjectCaller,
    @Params() params: NamedMemberParams,
  ): Promise<MemberRecord> {
    return this.members.findInAll(caller, params.user_id);
  }

  @Get(':id/members/:user_id')
  @Access({ project: Role.Guest, publicRead: true })
  @Returns(MemberRecord)
  find(@CurrentCaller() caller: SubjectCaller, @Params() params: NamedMemberParams): Promise<MemberRecord> {
    return this.members.find(caller, params.user_id);
  }

  @Post(':id/members')
  @Access({ project: Role.Maintainer })
  @Returns(AddedMembersRecord, 201)
  async add(
    @CurrentCaller() caller: UserCaller & SubjectCaller,
    @Params() params: AddMemberParams,
  ): Promise<AddedMembersRecord> {
    const added = await this.adding.run(caller, params);
    return typeof added === 'number' ? this.members.find(caller, added) : added;
  }

  @Put(':id/members/:user_id')
  @Access({ project: Role.Maintainer })
  @Returns(MemberRecord)
  async update(
    @CurrentCaller() caller: SubjectCaller,
    @Params() params: UpdateMemberParams,
  ): Promise<MemberRecord> {
    await this.changing.update(caller, params);
    return this.members.find(caller, params.user_id);
  }

  @Delete(':id/members/:user_id')
  @Access({ project: Role.Guest, publicRead: true, archived: true })
  @ReturnsNothing()
  remove(
    @CurrentCaller() caller: SubjectCaller,
    @Params() params: RemoveMemberParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.changing.remove(caller, params, unmodified);
  }
}
