import { Injectable } from '@nestjs/common';
import { HttpError, insufficientScope, invalidToken } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { TokenUseService } from '#core/tokens/token-use.service.js';
import { emailClaims, roleClaims, websiteClaim } from './claims.js';
import { ClaimsQueries, type UserinfoRow } from './claims.queries.js';
import { LegacySubjectsService } from './legacy-subjects.service.js';
import type { UserinfoRecord } from './userinfo.record.js';

/** Errors have no body, only headers (`auth-core.md` 1.11). */
const withoutBody = ({ status, headers }: HttpError): HttpError => new HttpError(status, null, headers);

const NO_ACCOUNT = new HttpError(403, null, { 'WWW-Authenticate': 'Bearer realm="Protected by OAuth 2.0"' });

/** Reads what an application may know of the user of its token (OpenID Connect Core, 5.3). */
@Injectable()
export class UserinfoService {
  constructor(
    private readonly claims: ClaimsQueries,
    private readonly legacy: LegacySubjectsService,
    private readonly tokenUse: TokenUseService,
    private readonly links: Links,
  ) {}

  /**
   * Returns userinfo. @throws 401 if the token is missing or invalid; 403 if the account is not usable, or
   * the scope `openid` is missing
   */
  async of(token: string | null): Promise<UserinfoRecord> {
    const row = token === null ? null : await this.claims.findByTokenOrNull(token);
    if (!row) throw withoutBody(invalidToken('The access token is invalid'));
    if (row.token_state !== 'alive')
      throw withoutBody(
        invalidToken(`The access token ${row.token_state === 'expired' ? 'expired' : 'was revoked'}`),
      );
    if (!row.is_active) throw NO_ACCOUNT;
    if (!row.scopes.includes('openid')) throw withoutBody(insufficientScope(['openid']));
    if (row.is_unnoted) this.tokenUse.record('oauth_tokens', row.token_id, row.id);
    return this.present(row);
  }

  private present(row: UserinfoRow): UserinfoRecord {
    const picture = this.links.avatar('user', row.id, row.avatar);
    const website = websiteClaim(row.website_url);
    return {
      sub: String(row.id),
      sub_legacy: this.legacy.of(row.id),
      name: row.name,
      nickname: row.username,
      preferred_username: row.username,
      ...emailClaims(row, row.scopes),
      ...(website === undefined ? {} : { website }),
      profile: this.links.user(row.username),
      ...(picture === null ? {} : { picture }),
      groups: [...row.groups],
      ...roleClaims(row),
    };
  }
}
