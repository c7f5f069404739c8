import { Injectable } from '@nestjs/common';
import { FirstUses } from '#core/tokens/rotation/first-uses.js';
import { OauthTokensService } from '#core/oauth-tokens/oauth-tokens.service.js';
import { oauthError } from '../oauth-error.js';
import { OWNERSHIP_CHECKS, REFRESH_CHECKS, scopesOfRefresh, type RefreshInquiry } from './refresh-checks.js';
import { RefreshTokensQueries } from './refresh-tokens.queries.js';
import { TokenReuse } from './token-reuse.js';
import { pass, type GrantedToken, type GrantType, type TokenRequest } from './token-request.js';

/** `refresh_token` (RFC 6749 6): a pair for its successor. The former pair ends with it, but for a grace period. */
@Injectable()
export class RefreshTokenGrant implements GrantType {
  constructor(
    private readonly refreshTokens: RefreshTokensQueries,
    private readonly tokens: OauthTokensService,
    private readonly firstUses: FirstUses,
    private readonly reuse: TokenReuse,
  ) {}

  async grant({ form, client: sent }: TokenRequest): Promise<GrantedToken> {
    const found = await this.refreshTokens.find(sent?.id ?? '', form.get('refresh_token') ?? '');
    const inquiry: RefreshInquiry = { form, sent, ...found };
    pass(OWNERSHIP_CHECKS, inquiry);
    const { token: old, client } = found;
    if (!old || !client) throw new Error('A check of refresh tokens has let nothing pass');
    if (old.spentAt) await this.reuse.ofRefreshToken(old, old.spentAt);
    pass(REFRESH_CHECKS, inquiry);
    const token = await this.tokens.refresh({
      tokenId: old.id,
      gracePeriodSeconds: client.gracePeriodSeconds,
      scopes: scopesOfRefresh(inquiry) ?? [],
      refreshScopes: old.grantedScopes,
    });
    if (!token) throw oauthError('invalid_grant');
    await this.firstUses.settle('oauth_tokens', old.id);
    return { token, applicationUid: client.uid };
  }
}
