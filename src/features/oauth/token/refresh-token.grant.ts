import { Injectable } from '@nestjs/common';
import { FirstUsesService } from '#core/tokens/rotation/first-uses.service.js';
import { OauthTokensService } from '#core/oauth-tokens/oauth-tokens.service.js';
import { oauthError } from '../oauth-error.js';
import { ownedToken, refreshedScopes } from './refresh-token.rules.js';
import { RefreshTokensQueries } from './refresh-tokens.queries.js';
import { TokenReuseService } from './token-reuse.service.js';
import type { GrantedToken, GrantType, TokenRequest } from './token-request.js';

/**
 * `refresh_token` (RFC 6749 6): exchanges a pair for its successor. The former pair ends, except for a grace
 * period.
 */
@Injectable()
export class RefreshTokenGrant implements GrantType {
  constructor(
    private readonly refreshTokens: RefreshTokensQueries,
    private readonly tokens: OauthTokensService,
    private readonly firstUses: FirstUsesService,
    private readonly reuse: TokenReuseService,
  ) {}

  async grant({ form, client: sent }: TokenRequest): Promise<GrantedToken> {
    const found = await this.refreshTokens.find(sent?.id ?? '', form.get('refresh_token') ?? '');
    const owned = ownedToken({ form, sent, ...found });
    const { token: old, client } = owned;
    if (old.spentAt) await this.reuse.ofRefreshToken(old, old.spentAt);
    const token = await this.tokens.refresh({
      tokenId: old.id,
      gracePeriodSeconds: client.gracePeriodSeconds,
      scopes: refreshedScopes(form, owned),
      refreshScopes: old.grantedScopes,
    });
    if (!token) throw oauthError('invalid_grant');
    await this.firstUses.settle('oauth_tokens', old.id);
    return { token, applicationUid: client.uid };
  }
}
