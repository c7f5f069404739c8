import { Injectable } from '@nestjs/common';
import { FirstUsesService } from '#core/tokens/rotation/first-uses.service.js';
import { OauthTokensService } from '#core/oauth-tokens/oauth-tokens.service.js';
import { oauthError } from '../oauth-error.js';
import { assertUsable, ownedCode } from './authorization-code.rules.js';
import { CodesQueries } from './codes.queries.js';
import { TokenReuseService } from './token-reuse.service.js';
import type { GrantedToken, GrantType, TokenRequest } from './token-request.js';

/** `authorization_code` (RFC 6749 4.1.3): exchanges a code for a pair of tokens, once. */
@Injectable()
export class AuthorizationCodeGrant implements GrantType {
  constructor(
    private readonly codes: CodesQueries,
    private readonly tokens: OauthTokensService,
    private readonly firstUses: FirstUsesService,
    private readonly reuse: TokenReuseService,
  ) {}

  async grant({ form, client: sent }: TokenRequest): Promise<GrantedToken> {
    const found = await this.codes.find(sent?.id ?? '', form.get('code') ?? '');
    const owned = ownedCode({ form, sent, ...found });
    const { code, client } = owned;
    if (code.usedAt) await this.reuse.ofCode(code.id, code.usedAt);
    assertUsable(form, owned);
    const token = await this.tokens.exchange(code.id);
    if (!token) throw oauthError('invalid_grant');
    await this.firstUses.settle('oauth_grants', code.id);
    return { token, applicationUid: client.uid };
  }
}
