import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type UserCaller, CurrentCaller } from '#kernel/access/caller.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import {
  NewPersonalAccessTokenRecord,
  PersonalAccessTokenRecord,
  presentNewToken,
  presentToken,
} from './personal-access-token.record.js';
import { RotateToken } from './rotation/rotate-token.use-case.js';
import { assertMayHandle, ownTokenId } from './token-access.js';
import { RotateParams } from './tokens.params.js';
import { TokensQueries } from './tokens.queries.js';
import { TokensService } from './tokens.service.js';

/** The token that authenticates the request. */
@Controller('api/v4/personal_access_tokens/self')
export class OwnTokenController {
  constructor(
    private readonly queries: TokensQueries,
    private readonly tokens: TokensService,
    private readonly rotation: RotateToken,
  ) {}

  @Get()
  @Access({ user: true, anyScope: true })
  @Returns(PersonalAccessTokenRecord)
  async find(@CurrentCaller() { credential }: Caller): Promise<PersonalAccessTokenRecord> {
    const token = await this.queries.findOrNull(ownTokenId(credential));
    if (!token) throw notFound('Personal Access Token');
    return presentToken(token);
  }

  @Delete()
  @Access({ user: true, anyScope: true })
  @ReturnsNothing()
  async remove(
    @CurrentCaller() { credential, owner }: UserCaller,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    const id = ownTokenId(credential);
    if (credential?.impersonation) throw forbidden();
    await this.tokens.revokeById(id, owner, (token) => {
      assertMayHandle(owner, token);
      unmodified(token.updatedAt);
    });
  }

  @Post('rotate')
  @Access({ user: true, makesCredential: true })
  @Returns(NewPersonalAccessTokenRecord)
  async rotate(
    @CurrentCaller() { credential, owner }: UserCaller,
    @Params() { expires_at: expiresAt }: RotateParams,
  ): Promise<NewPersonalAccessTokenRecord> {
    const id = ownTokenId(credential);
    if (credential?.impersonation) throw forbidden();
    const rotator = { author: owner, credential };
    const issued = await this.rotation.run(rotator, id, expiresAt, (token) => assertMayHandle(owner, token));
    return presentNewToken(issued.row, issued.token);
  }
}
