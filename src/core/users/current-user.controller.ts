import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { Count } from '#kernel/http/fields/scalar-fields.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import type { CurrentUserRecord } from './records/current-user.record.js';
import { UserCountersRegistry, type UserCount } from './user-counters.registry.js';
import { UserPresenter } from './records/user.presenter.js';
import { presentStatus, SetUserStatusParams, statusOf, UserStatusRecord } from './states/user-status.js';
import { OwnUserRecord } from './records/user.record.js';
import { UsersQueries } from './lists/users.queries.js';
import { UsersService } from './users.service.js';

/** Open work of the signed-in user. */
export class UserCountsRecord implements Record<UserCount, number> {
  @Count()
  merge_requests!: number;

  @Count()
  assigned_issues!: number;

  @Count()
  assigned_merge_requests!: number;

  @Count()
  review_requested_merge_requests!: number;

  @Count()
  todos!: number;
}

/** The signed-in user. */
@Controller('api/v4')
export class CurrentUserController {
  constructor(
    private readonly queries: UsersQueries,
    private readonly presenter: UserPresenter,
    private readonly counters: UserCountersRegistry,
    private readonly users: UsersService,
  ) {}

  @Get('user')
  @Access({ user: true, scopes: ['read_user'] })
  @Returns(OwnUserRecord)
  async find(@CurrentActor() actor: Actor): Promise<CurrentUserRecord> {
    const row = await this.queries.find(actor.id, actor.id);
    return actor.admin ? this.presenter.admin(row) : this.presenter.current(row);
  }

  @Get('user_counts')
  @Access({ user: true, scopes: ['read_user'] })
  @Returns(UserCountsRecord)
  counts(@CurrentActor() actor: Actor): Promise<UserCountsRecord> {
    return this.counters.count(actor);
  }

  @Get('user/status')
  @Access({ user: true, scopes: ['read_user'] })
  @Returns(UserStatusRecord)
  async status(@CurrentActor() actor: Actor): Promise<UserStatusRecord> {
    return presentStatus((await this.queries.find(actor.id, null)).status);
  }

  @Put('user/status')
  @Access({ user: true })
  @Returns(UserStatusRecord)
  async setStatus(
    @CurrentActor() actor: Actor,
    @Params() params: SetUserStatusParams,
  ): Promise<UserStatusRecord> {
    const status = statusOf(params);
    await this.users.setStatus(actor.id, status);
    return presentStatus(status);
  }
}
