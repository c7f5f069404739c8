import { Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import { Access, type OwnerRule } from '#kernel/access/access.js';
import { CurrentCaller, type SubjectCaller, type UserCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AddMembers } from './writes/add-members.use-case.js';
import { MemberChangesService } from './writes/member-changes.service.js';
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

/** Access rules of the members routes. */
interface MemberRoutes {
  readonly read: OwnerRule;
  readonly write: OwnerRule;
  /** For removing members, including oneself. */
  readonly remove: OwnerRule;
}

/**
 * Creates the members controller of groups or projects, which have the same routes. `name`: name of the
 * class.
 */
function membersController(name: string, path: string, { read, write, remove }: MemberRoutes): Type {
  @Controller(path)
  class MembersController {
    constructor(
      private readonly members: MembersPresenter,
      private readonly adding: AddMembers,
      private readonly changing: MemberChangesService,
    ) {}

    @Get(':id/members')
    @Access(read)
    @ReturnsList(MemberRecord)
    list(
      @CurrentCaller() caller: SubjectCaller,
      @Params() params: ListMembersParams,
      @Paged() page: Page,
    ): Promise<MemberRecord[]> {
      return this.members.list(caller, params, page);
    }

    @Get(':id/members/all')
    @Access(read)
    @ReturnsList(MemberRecord)
    listAll(
      @CurrentCaller() caller: SubjectCaller,
      @Params() params: ListAllMembersParams,
      @Paged() page: Page,
    ): Promise<MemberRecord[]> {
      return this.members.listAll(caller, params, page);
    }

    @Get(':id/members/all/:user_id')
    @Access(read)
    @Returns(MemberRecord)
    findInAll(
      @CurrentCaller() caller: SubjectCaller,
      @Params() params: NamedMemberParams,
    ): Promise<MemberRecord> {
      return this.members.findInAll(caller, params.user_id);
    }

    @Get(':id/members/:user_id')
    @Access(read)
    @Returns(MemberRecord)
    find(@CurrentCaller() caller: SubjectCaller, @Params() params: NamedMemberParams): Promise<MemberRecord> {
      return this.members.find(caller, params.user_id);
    }

    @Post(':id/members')
    @Access(write)
    @Returns(AddedMembersRecord, 201)
    async add(
      @CurrentCaller() caller: UserCaller & SubjectCaller,
      @Params() params: AddMemberParams,
    ): Promise<AddedMembersRecord> {
      const added = await this.adding.run(caller, params);
      return typeof added === 'number' ? this.members.find(caller, added) : added;
    }

    @Put(':id/members/:user_id')
    @Access(write)
    @Returns(MemberRecord)
    async update(
      @CurrentCaller() caller: SubjectCaller,
      @Params() params: UpdateMemberParams,
    ): Promise<MemberRecord> {
      await this.changing.update(caller, params);
      return this.members.find(caller, params.user_id);
    }

    @Delete(':id/members/:user_id')
    @Access(remove)
    @ReturnsNothing()
    remove(
      @CurrentCaller() caller: SubjectCaller,
      @Params() params: RemoveMemberParams,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      return this.changing.remove(caller, params, unmodified);
    }
  }

  return named(MembersController, name);
}

/**
 * Controllers of members of groups, managed by owners, and of projects, managed by maintainers; readers may
 * try to leave.
 */
export const membersControllers: readonly Type[] = [
  membersController('GroupMembersController', 'api/v4/groups', {
    read: { group: Role.Minimal, publicRead: true },
    write: { group: Role.Owner },
    remove: { group: Role.Minimal, publicRead: true },
  }),
  membersController('ProjectMembersController', 'api/v4/projects', {
    read: { project: Role.Guest, publicRead: true },
    write: { project: Role.Maintainer },
    remove: { project: Role.Guest, publicRead: true, archived: true },
  }),
];
