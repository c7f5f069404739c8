import { Injectable } from '@nestjs/common';
import { FirstUses } from '#core/tokens/rotation/first-uses.js';
import { OauthTokensService } from '#core/oauth-tokens/oauth-tokens.service.js';
import { oauthError } from '../oauth-error.js';
import { CODE_CHECKS, OWNERSHIP_CHECKS, type CodeInquiry } from './code-checks.js';
import { CodesQueries } from './codes.queries.js';
import { TokenReuse } from './token-reuse.js';
import { pass, type GrantedToken, type GrantType, type TokenRequest } from './token-request.js';

/** `authorization_code` (RFC 6749 4.1.3): a code for a pair of tokens, once. */
@Injectable()
export class AuthorizationCodeGrant implements GrantType {
  constructor(
    private readonly codes: CodesQueries,
    private readonly tokens: OauthTokensService,
    private readonly firstUses: FirstUses,
    private readonly reuse: TokenReuse,
  ) {}

  async grant({ form, client: sent }: TokenRequest): Promise<GrantedToken> {
    const found = await this.codes.find(sent?.id ?? '', form.get('code') ?? '');
    const inquiry: CodeInquiry = { form, sent, ...found };
    pass(OWNERSHIP_CHECKS, inquiry);
    const { code, client } = found;
    if (!code || !client) throw new Error('A check of codes has let nothing pass');
    if (code.usedAt) await this.reuse.ofCode(code.id, code.usedAt);
    pass(CODE_CHECKS, inquiry);
    const token = await this.tokens.exchange(code.id);
    if (!token) throw oauthError('invalid_grant');
    await this.firstUses.settle('oauth_grants', code.id);
    return { token, applicationUid: client.uid };
  }
}
