import { Controller, Get, Req } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { oauthError } from '../oauth-error.js';
import { sentToken } from '../sent-token.js';
import { Unstored } from '../unstored.js';
import { TokenInfoQueries, type TokenInfoRow } from './token-info.queries.js';
import { TokenInfoRecord } from './token-info.record.js';

/** Describes the access token of the request (`auth-core.md` 1.8). */
@Controller('oauth/token/info')
export class TokenInfoController {
  constructor(private readonly queries: TokenInfoQueries) {}

  @Get()
  @Access({ credential: 'oauth' })
  @Returns(TokenInfoRecord)
  @Unstored()
  async show(@Req() request: ApiRequest): Promise<TokenInfoRecord> {
    const token = sentToken(request);
    const row = token === null ? null : await this.queries.findOrNull(token);
    if (!row?.isUserActive) throw oauthError('invalid_token');
    if (row.secondsLeft <= 0) throw oauthError('invalid_token', { description: 'The access token expired' });
    if (row.isRevoked) throw oauthError('invalid_token', { description: 'The access token was revoked' });
    return present(row);
  }
}

const present = ({ userId, uid, scopes, secondsLeft, createdAt }: TokenInfoRow): TokenInfoRecord => ({
  resource_owner_id: userId,
  scope: [...scopes],
  expires_in: secondsLeft,
  application: { uid },
  created_at: createdAt,
  scopes: [...scopes],
  expires_in_seconds: secondsLeft,
});
