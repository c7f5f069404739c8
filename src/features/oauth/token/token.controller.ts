import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { FormBody } from '#kernel/http/form-body.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { sentClient } from '../client-authentication.js';
import { FormParameters } from '../form-parameters.js';
import { missingParameter, oauthError } from '../oauth-error.js';
import { IdTokensService } from '../openid/id-tokens.service.js';
import { Unstored } from '../unstored.js';
import { AuthorizationCodeGrant } from './authorization-code.grant.js';
import { PasswordGrant } from './password.grant.js';
import { RefreshTokenGrant } from './refresh-token.grant.js';
import { presentIssued, TokenRecord } from './token.record.js';
import { TOKEN_PARAMETERS, type GrantedToken, type GrantType } from './token-request.js';

/** Issues tokens (`auth-core.md` 1.3, RFC 6749 3.2). */
@Controller('oauth/token')
export class TokenController {
  private readonly grants: ReadonlyMap<string, GrantType>;

  constructor(
    private readonly idTokens: IdTokensService,
    code: AuthorizationCodeGrant,
    refreshToken: RefreshTokenGrant,
    password: PasswordGrant,
  ) {
    this.grants = new Map<string, GrantType>([
      ['authorization_code', code],
      ['refresh_token', refreshToken],
      ['password', password],
    ]);
  }

  @Post()
  @HttpCode(200)
  @Access({ credential: 'oauth' })
  @FormBody(TOKEN_PARAMETERS)
  @Returns(TokenRecord)
  @Unstored()
  async create(@Req() request: ApiRequest): Promise<TokenRecord> {
    const form = FormParameters.of(request.body, TOKEN_PARAMETERS);
    const type = form.get('grant_type');
    if (type === null) throw missingParameter('grant_type');
    const grant = this.grants.get(type);
    if (!grant) throw oauthError('unsupported_grant_type');
    const granted = await grant.grant({ form, client: sentClient(request, form) });
    return presentIssued(granted.token, await this.idTokenOf(granted));
  }

  /** An id_token names its client, so there is none without a client. */
  private async idTokenOf({ token, applicationUid }: GrantedToken): Promise<string | null> {
    if (applicationUid === null || !token.scopes.includes('openid')) return null;
    const { userId, scopes, nonce, authTime } = token;
    return this.idTokens.sign({ userId, applicationUid, scopes, nonce, authTime });
  }
}
