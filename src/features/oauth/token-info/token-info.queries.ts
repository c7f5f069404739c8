import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { isActiveSql } from '#core/users/active-sql.js';

/** A token as it describes itself. */
export interface TokenInfoRow {
  readonly userId: number;
  readonly uid: string | null;
  readonly scopes: readonly Scope[];
  readonly isRevoked: boolean;
  readonly isUserActive: boolean;
  /** Seconds that are left; none or fewer for an expired one. */
  readonly secondsLeft: number;
  readonly createdAt: Date;
}

const FIND = `select t.user_id as "userId", a.uid, t.scopes,
    t.revoked_at is not null or t.refreshed_at is not null as "isRevoked",
    ${isActiveSql('u')} as "isUserActive",
    ceil(extract(epoch from t.expires_at - now()))::int as "secondsLeft", t.created_at as "createdAt"
  from oauth_tokens t join users u on u.id = t.user_id left join oauth_applications a on a.id = t.application_id
  where t.digest = $1`;

/** Finds access tokens. */
@Injectable()
export class TokenInfoQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** An access token, alive or not. */
  findOrNull(token: string): Promise<TokenInfoRow | null> {
    return this.database.one<TokenInfoRow>(FIND, [digestToken(token)]);
  }
}
