import { Injectable } from '@nestjs/common';
import { Links } from '#kernel/http/links.js';
import { epochSeconds } from '../epoch-seconds.js';
import { oauthError } from '../oauth-error.js';
import { emailClaims } from './claims.js';
import { ClaimsQueries } from './claims.queries.js';
import { CurrentKeyService } from './keys/current-key.service.js';
import { LegacySubjectsService } from './legacy-subjects.service.js';
import { ALGORITHM } from './keys/new-key.js';

/** Lifetime of an id_token in seconds. */
const LIFETIME = 120;

/** User and audience of an id_token. */
export interface IdTokenRequest {
  readonly userId: number;
  /** The client_id, used as the audience. */
  readonly applicationUid: string;
  readonly scopes: readonly string[];
  /** From the authorization request. */
  readonly nonce: string | null;
  /** When the user last authenticated. */
  readonly authTime: Date;
}

/** Issues id_tokens (OpenID Connect Core, 2) with the claims of `auth-core.md` 1.11. */
@Injectable()
export class IdTokensService {
  constructor(
    private readonly claims: ClaimsQueries,
    private readonly legacy: LegacySubjectsService,
    private readonly key: CurrentKeyService,
    private readonly links: Links,
  ) {}

  /** Returns a signed token. @throws 400 invalid_grant if the user was just removed */
  async sign({ userId, applicationUid, scopes, nonce, authTime }: IdTokenRequest): Promise<string> {
    const [user, { kid, privateKey }] = await Promise.all([this.claims.findOrNull(userId), this.key.get()]);
    if (!user) throw oauthError('invalid_grant');
    const issuedAt = epochSeconds(new Date());
    const claims = {
      ...(nonce === null ? {} : { nonce }),
      auth_time: epochSeconds(authTime),
      sub_legacy: this.legacy.of(user.id),
      ...emailClaims(user, scopes),
      groups_direct: user.direct_groups.map(({ path }) => path),
    };
    const { SignJWT } = await import('jose');
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(this.links.base)
      .setSubject(String(user.id))
      .setAudience(applicationUid)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME)
      .sign(privateKey);
  }
}
