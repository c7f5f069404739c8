import { Controller, Delete, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentCaller, type Actor, type Caller } from '#kernel/access/caller.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { ENDED_HEADERS, tellEnded } from './events/ended-with-token.js';
import {
  NewPersonalAccessTokenRecord,
  PersonalAccessTokenRecord,
  presentNewToken,
  presentToken,
} from './personal-access-token.record.js';
import { RotateToken } from './rotation/rotate-token.use-case.js';
import { assertMayHandle } from './token-access.js';
import { ListTokensParams, RotateTokenParams, TokenPath } from './tokens.params.js';
import { TokensQueries } from './tokens.queries.js';
import { TokensService } from './tokens.service.js';

/** Personal access tokens: users manage their own; administrators see and revoke all (`auth-core.md` 2.2). */
@Controller('api/v4/personal_access_tokens')
export class PersonalAccessTokensController {
  constructor(
    private readonly queries: TokensQueries,
    private readonly tokens: TokensService,
    private readonly rotation: RotateToken,
  ) {}

  @Get()
  @Access({ user: true })
  @ReturnsList(PersonalAccessTokenRecord)
  async list(
    @CurrentActor() actor: Actor,
    @Params() params: ListTokensParams,
    @Paged() page: Page,
  ): Promise<PersonalAccessTokenRecord[]> {
    const rows = await page.load(this.queries.list(await this.listedUser(actor, params), params));
    return rows.map(presentToken);
  }

  @Get(':id')
  @Access({ user: true })
  @Returns(PersonalAccessTokenRecord)
  async find(@CurrentActor() actor: Actor, @Params() { id }: TokenPath): Promise<PersonalAccessTokenRecord> {
    const token = await this.queries.findOrNull(id);
    assertMayHandle(actor, token);
    return presentToken(token);
  }

  @Delete(':id')
  @Access({ user: true })
  @ReturnsNothing(204, ENDED_HEADERS)
  async remove(
    @CurrentActor() actor: Actor,
    @Params() { id }: TokenPath,
    @Unmodified() unmodified: UnmodifiedCheck,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const ended = await this.tokens.revokeById(id, actor, (token) => {
      assertMayHandle(actor, token);
      unmodified(token.updatedAt);
    });
    tellEnded(response, ended);
  }

  @Post(':id/rotate')
  @Access({ user: true, makesCredential: true })
  @Returns(NewPersonalAccessTokenRecord)
  async rotate(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() params: RotateTokenParams,
  ): Promise<NewPersonalAccessTokenRecord> {
    const rotator = { author: actor, credential };
    const issued = await this.rotation.run(rotator, params.id, params.expires_at, (token) =>
      assertMayHandle(actor, token),
    );
    return presentNewToken(issued.row, issued.token);
  }

  /** Returns the user whose tokens are listed; null for all users. */
  private async listedUser(actor: Actor, { user_id: asked }: ListTokensParams): Promise<number | null> {
    if (asked === null) throw notFound('User');
    if (!actor.admin) {
      if (asked !== undefined && asked !== actor.id) throw forbidden();
      return actor.id;
    }
    if (asked !== undefined) await this.queries.assertUser(asked);
    return asked ?? null;
  }
}
