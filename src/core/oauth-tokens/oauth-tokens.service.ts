import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { runPrepared } from '#kernel/database/statements/prepared.js';
import { SingleStatements } from '#kernel/database/statements/single-statements.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { randomHex } from './oauth-secrets.js';

/** Lifetime of an access token. Refresh tokens end when they are used or revoked. */
export const ACCESS_TOKEN_SECONDS = 7_200;

/** A new pair: the only time its secrets are shown. */
export interface IssuedOauthToken {
  readonly id: number;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly userId: number;
  readonly applicationId: number | null;
  readonly scopes: readonly Scope[];
  readonly nonce: string | null;
  /** When the user last authenticated. */
  readonly authTime: Date;
  /** In seconds. */
  readonly expiresIn: number;
  readonly createdAt: Date;
}

/** A token of the password grant, which has no successor. */
export interface NewOauthToken {
  readonly userId: number;
  /** Null if no client requested it. */
  readonly applicationId: number | null;
  readonly scopes: readonly Scope[];
}

/** A refresh that passed all checks. */
export interface Refresh {
  readonly tokenId: number;
  /** Seconds after the first refresh in which it may be repeated. */
  readonly gracePeriodSeconds: number;
  /** Scopes of the new access token. */
  readonly scopes: readonly Scope[];
  /** Scopes that the new refresh token may request. */
  readonly refreshScopes: readonly Scope[];
}

const RETURNED = `id, user_id as "userId", application_id as "applicationId", scopes, nonce, auth_time as "authTime",
  expires_in as "expiresIn", created_at as "createdAt"`;

const ISSUE = {
  name: 'oauth_issue',
  text: `with owner as (select id from users u where id = $2 and ${isActiveSql('u')} for key share),
  client as (select id from oauth_applications where id = $1 and scopes @> $4::text[] for key share)
  insert into oauth_tokens (application_id, user_id, digest, scopes, expires_in, expires_at)
  select $1, id, $3, $4::text[], $5::int, now() + make_interval(secs => $5::int) from owner
    where $1::bigint is null or exists (select from client)
  returning ${RETURNED}`,
};

const EXCHANGE = {
  name: 'oauth_exchange',
  text: `with used as (update oauth_grants set used_at = ${STATEMENT_TIME}, updated_at = ${STATEMENT_TIME}
    where id = $1 and used_at is null and expires_at > now() returning *)
  insert into oauth_tokens (application_id, user_id, grant_id, digest, refresh_digest, scopes, nonce, auth_time, expires_in, expires_at)
  select application_id, user_id, id, $2, $3, scopes, nonce, auth_time, $4::int, now() + make_interval(secs => $4::int) from used
  returning ${RETURNED}`,
};

// The nonce is not copied: it belongs to the original sign-in (OpenID Connect core 12.2).
const REFRESH = {
  name: 'oauth_refresh',
  text: `with old as (update oauth_tokens set refreshed_at = coalesce(refreshed_at, ${STATEMENT_TIME}), updated_at = ${STATEMENT_TIME}
    where id = $1 and revoked_at is null and (refreshed_at is null or refreshed_at > clock_timestamp() - make_interval(secs => $2::int))
    returning *)
  insert into oauth_tokens (application_id, user_id, grant_id, family_id, digest, refresh_digest, scopes, refresh_scopes, auth_time,
    expires_in, expires_at)
  select application_id, user_id, grant_id, coalesce(family_id, id), $3, $4, $5, $6, auth_time,
    expires_in, now() + make_interval(secs => expires_in) from old
  returning ${RETURNED}`,
};

/**
 * Issues access and refresh tokens. Rows decide: of two requests with the same code or refresh token only one
 * finds it unused.
 */
@Injectable()
export class OauthTokensService {
  constructor(private readonly statements: SingleStatements) {}

  /**
   * Issues a token for a password; null if by now the user is no longer active, or the application does not
   * exist or lacks one of the scopes.
   */
  async issue(tx: Tx, { userId, applicationId, scopes }: NewOauthToken): Promise<IssuedOauthToken | null> {
    const accessToken = randomHex();
    const values = [applicationId, userId, digestToken(accessToken), scopes, ACCESS_TOKEN_SECONDS];
    const [row] = await runPrepared<StoredToken>(tx, ISSUE, values);
    return row ? { ...row, accessToken, refreshToken: null } : null;
  }

  /** Issues the pair for a code; null if by now the code is used or expired. */
  async exchange(grantId: number): Promise<IssuedOauthToken | null> {
    const [accessToken, refreshToken] = [randomHex(), randomHex()];
    const values = [grantId, digestToken(accessToken), digestToken(refreshToken), ACCESS_TOKEN_SECONDS];
    const [row] = await this.statements.run<StoredToken>(EXCHANGE, values);
    return row ? { ...row, accessToken, refreshToken } : null;
  }

  /** Issues the successor of a pair and invalidates that; null if by now it was refreshed or revoked. */
  async refresh(refresh: Refresh): Promise<IssuedOauthToken | null> {
    const [accessToken, refreshToken] = [randomHex(), randomHex()];
    const { tokenId, gracePeriodSeconds, scopes, refreshScopes } = refresh;
    const [row] = await this.statements.run<StoredToken>(REFRESH, [
      tokenId,
      gracePeriodSeconds,
      digestToken(accessToken),
      digestToken(refreshToken),
      scopes,
      scopes.length === refreshScopes.length ? null : refreshScopes,
    ]);
    return row ? { ...row, accessToken, refreshToken } : null;
  }
}

type StoredToken = Omit<IssuedOauthToken, 'accessToken' | 'refreshToken'>;
