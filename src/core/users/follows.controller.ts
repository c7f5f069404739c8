import { Controller, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { badRequest } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { UserBasicRecord } from './records/user-basic.record.js';
import { UserIdParams } from './changes/users.params.js';
import { UserPresenter } from './records/user.presenter.js';
import { UsersQueries } from './lists/users.queries.js';
import { UsersService } from './users.service.js';

/** Followers and followed users, which profiles count. */
@Controller('api/v4/users/:id')
export class FollowsController {
  constructor(
    private readonly queries: UsersQueries,
    private readonly users: UsersService,
    private readonly presenter: UserPresenter,
  ) {}

  @Get('followers')
  @Access({ user: true, scopes: ['read_user'] })
  @ReturnsList(UserBasicRecord)
  followers(
    @CurrentActor() actor: Actor,
    @Params() { id }: UserIdParams,
    @Paged() page: Page,
  ): Promise<UserBasicRecord[]> {
    return this.load(page, actor, 'join user_follows f on f.follower_id = u.id and f.followee_id = ?', id);
  }

  @Get('following')
  @Access({ user: true, scopes: ['read_user'] })
  @ReturnsList(UserBasicRecord)
  following(
    @CurrentActor() actor: Actor,
    @Params() { id }: UserIdParams,
    @Paged() page: Page,
  ): Promise<UserBasicRecord[]> {
    return this.load(page, actor, 'join user_follows f on f.followee_id = u.id and f.follower_id = ?', id);
  }

  @Post('follow')
  @Access({ user: true })
  @Returns(UserBasicRecord, 201)
  @Refuses({ 304: 'Was followed before' })
  async follow(
    @CurrentActor() actor: Actor,
    @Params() { id }: UserIdParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserBasicRecord | undefined> {
    if (actor.id === id) throw badRequest('400 Bad request - You cannot follow yourself');
    return this.answer(await this.users.follow(actor.id, id), id, response);
  }

  @Post('unfollow')
  @Access({ user: true })
  @Returns(UserBasicRecord, 201)
  @Refuses({ 304: 'Was not followed' })
  async unfollow(
    @CurrentActor() actor: Actor,
    @Params() { id }: UserIdParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserBasicRecord | undefined> {
    return this.answer(await this.users.unfollow(actor.id, id), id, response);
  }

  /** Returns 304 if nothing has changed. */
  private async answer(
    changed: boolean,
    id: number,
    response: Response,
  ): Promise<UserBasicRecord | undefined> {
    if (!changed) response.status(304);
    return this.presenter.basic(await this.queries.find(id, null));
  }

  /**
   * A private profile shows these users only to its owner and to administrators, and is itself shown only to
   * them in the lists of others: they would tell whom it follows.
   */
  private async load(page: Page, actor: Actor, join: string, id: number): Promise<UserBasicRecord[]> {
    const user = await this.queries.find(id, null);
    const query = this.queries.basicList().join(join, id).orderBy('u.id', 'desc');
    const isOpen = user.id === actor.id || actor.admin;
    if (!isOpen && user.private_profile) query.where('false');
    else if (!isOpen) query.where('(not u.private_profile or u.id = ?)', actor.id);
    const rows = await page.load(query);
    return rows.map((row) => this.presenter.basic(row));
  }
}
