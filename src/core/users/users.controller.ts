import { Controller, Delete, Get, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentCaller,
  type Actor,
  type Caller,
  type UserCaller,
} from '#kernel/access/caller.js';
import { assertHoldsUser, assertLasting } from '#kernel/access/credential-bounds.js';
import { unauthorized } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { CreateUser } from './changes/create-user.use-case.js';
import { ListUsersParams } from './lists/list-users.params.js';
import { RemoveUser } from './removal/remove-user.use-case.js';
import { UpdateUser } from './changes/update-user.use-case.js';
import type { UserBasicRecord } from './records/user-basic.record.js';
import { assertWholeIdentity, filterUsers, orderUsers } from './lists/user-filters.js';
import { DeleteUserParams, NewUserParams, FindUserParams, UserUpdateParams } from './changes/users.params.js';
import { UserPresenter } from './records/user.presenter.js';
import { UserLookupsLimit } from './user-lookups.limit.js';
import { UserAdminRecord, UserListRecord, UserRecord } from './records/user.record.js';
import { UsersQueries } from './lists/users.queries.js';

/** Attributes that authenticate users or extend their rights. */
const PROOFS = ['password', 'email', 'admin', 'provider', 'extern_uid'] as const;

/** Users. */
@Controller('api/v4/users')
export class UsersController {
  constructor(
    private readonly queries: UsersQueries,
    private readonly presenter: UserPresenter,
    private readonly lookups: UserLookupsLimit,
    private readonly createUser: CreateUser,
    private readonly updateUser: UpdateUser,
    private readonly removeUser: RemoveUser,
    private readonly settings: SettingsService,
  ) {}

  /**
   * Anonymous callers may only look up a user by the exact username, and not even that if the public level is
   * restricted.
   */
  @Get()
  @Access({ anyone: true, scopes: ['read_user'] })
  @ReturnsList(UserListRecord)
  async list(
    @CurrentActor() actor: Actor | null,
    @Params() params: ListUsersParams,
    @Paged() page: Page,
  ): Promise<UserBasicRecord[]> {
    const isHidden = this.settings.values.restricted_visibility_levels.includes('public');
    if (!actor && (isHidden || (params.username ?? '') === '')) throw unauthorized();
    assertWholeIdentity(params);
    if (actor?.admin) {
      const query = this.queries.fullList(actor.id);
      filterUsers(query, params, true);
      orderUsers(query, params, true);
      return (await page.load(query)).map((row) => this.presenter.admin(row));
    }
    const query = this.queries.basicList();
    filterUsers(query, params, false);
    orderUsers(query, params, false);
    return (await page.load(query)).map((row) => this.presenter.basic(row));
  }

  @Get(':id')
  @Access({ user: true, scopes: ['read_user'] })
  @Returns(UserRecord)
  async find(
    @CurrentActor() actor: Actor,
    @Params() { id }: FindUserParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserBasicRecord> {
    await this.lookups.admit(actor, response);
    const row = await this.queries.find(id, actor.id);
    if (actor.admin) return this.presenter.adminDetail(row);
    const isHidden = row.private_profile && row.id !== actor.id;
    return isHidden ? this.presenter.basic(row) : this.presenter.profile(row);
  }

  @Post()
  @Access({ admin: true, makesCredential: true })
  @Returns(UserAdminRecord, 201)
  async create(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() params: NewUserParams,
  ): Promise<UserAdminRecord> {
    assertHoldsUser(credential, { admin: params.admin ?? false });
    const { id } = await this.createUser.run(actor, params);
    return this.presenter.admin(await this.queries.find(id, actor.id));
  }

  @Put(':id')
  @Access({ admin: true })
  @Returns(UserAdminRecord)
  async update(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential, owner }: UserCaller,
    @Params() params: UserUpdateParams,
  ): Promise<UserAdminRecord> {
    if (PROOFS.some((name) => params[name] !== undefined)) {
      assertLasting(credential);
      const { admin } = await this.queries.find(params.id, null);
      assertHoldsUser(credential, { admin: admin || params.admin === true });
    }
    await this.updateUser.run(actor, params, owner.id);
    return this.presenter.admin(await this.queries.find(params.id, actor.id));
  }

  @Delete(':id')
  @Access({ admin: true })
  @ReturnsNothing()
  @Refuses({ 409: 'Groups would be left without an owner' })
  async remove(
    @CurrentActor() actor: Actor,
    @Params() { id, hard_delete: hard = false }: DeleteUserParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.removeUser.run(actor, id, hard, unmodified);
  }
}
