import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentCaller, type Actor, type Caller } from '#kernel/access/caller.js';
import { assertCovers } from '#kernel/access/credential-bounds.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { NewPersonalAccessTokenRecord, presentNewToken } from './personal-access-token.record.js';
import { CreateTokenParams } from './tokens.params.js';
import { TokensService } from './tokens.service.js';

/** Personal access tokens that administrators create for users. */
@Controller('api/v4/users/:user_id/personal_access_tokens')
export class UserTokensController {
  constructor(private readonly tokens: TokensService) {}

  @Post()
  @Access({ admin: true, makesCredential: true })
  @Returns(NewPersonalAccessTokenRecord, 201)
  async create(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() params: CreateTokenParams,
  ): Promise<NewPersonalAccessTokenRecord> {
    const { user_id: userId, name, scopes, expires_at: expiresAt = null } = params;
    assertCovers(credential, scopes);
    const { row, token } = await this.tokens.issue({ userId, name, scopes, expiresAt }, actor);
    return presentNewToken(row, token);
  }
}
