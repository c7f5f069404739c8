import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentCaller, type Actor, type Caller } from '#kernel/access/caller.js';
import { assertCovers } from '#kernel/access/credential-bounds.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import {
  ImpersonationTokenRecord,
  NewImpersonationTokenRecord,
  presentImpersonationToken,
} from './personal-access-token.record.js';
import {
  CreateImpersonationTokenParams,
  ImpersonationTokenPath,
  ListImpersonationTokensParams,
} from './tokens.params.js';
import { TokensQueries } from './tokens.queries.js';
import { TokensService } from './tokens.service.js';

/**
 * Tokens with which administrators act as a user, who can neither see nor revoke them (`auth-core.md` 2.3).
 */
@Controller('api/v4/users/:user_id/impersonation_tokens')
export class ImpersonationTokensController {
  constructor(
    private readonly queries: TokensQueries,
    private readonly tokens: TokensService,
  ) {}

  @Get()
  @Access({ admin: true })
  @ReturnsList(ImpersonationTokenRecord)
  async list(
    @Params() { user_id: userId, state }: ListImpersonationTokensParams,
    @Paged() page: Page,
  ): Promise<ImpersonationTokenRecord[]> {
    await this.queries.assertUser(userId);
    const rows = await page.load(this.queries.impersonation(userId, state));
    return rows.map(presentImpersonationToken);
  }

  @Post()
  @Access({ admin: true, makesCredential: true })
  @Returns(NewImpersonationTokenRecord, 201)
  async create(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() params: CreateImpersonationTokenParams,
  ): Promise<NewImpersonationTokenRecord> {
    const { user_id: userId, name, scopes = [], expires_at: expiresAt = null } = params;
    await this.queries.assertUser(userId);
    if (scopes.length === 0) throw invalid({ scopes: ["can't be blank"] });
    assertCovers(credential, scopes);
    const fields = { userId, name, scopes, expiresAt, impersonation: true };
    const { row, token } = await this.tokens.issue(fields, actor);
    return Object.assign(presentImpersonationToken(row), { token });
  }

  @Get(':impersonation_token_id')
  @Access({ admin: true })
  @Returns(ImpersonationTokenRecord)
  async find(@Params() path: ImpersonationTokenPath): Promise<ImpersonationTokenRecord> {
    await this.queries.assertUser(path.user_id);
    const token = await this.queries.findOrNull(path.impersonation_token_id);
    assertFound(token, path);
    return presentImpersonationToken(token);
  }

  @Delete(':impersonation_token_id')
  @Access({ admin: true })
  @ReturnsNothing()
  async remove(
    @CurrentActor() actor: Actor,
    @Params() path: ImpersonationTokenPath,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.queries.assertUser(path.user_id);
    await this.tokens.revokeById(path.impersonation_token_id, actor, (token) => {
      assertFound(token, path);
      unmodified(token.updatedAt);
    });
  }
}

function assertFound<Token extends { readonly userId: number; readonly impersonation: boolean }>(
  token: Token | null,
  path: ImpersonationTokenPath,
): asserts token is Token {
  if (token?.userId !== path.user_id || !token.impersonation) throw notFound('Impersonation Token');
}
