import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { BatchedRead, PositionedRow } from '#kernel/database/lanes/batched-read.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isActiveSql } from '#core/users/active.sql.js';

/** Row of a token's own description. */
export interface TokenInfoRow {
  readonly userId: number;
  readonly uid: string | null;
  readonly scopes: readonly Scope[];
  readonly isRevoked: boolean;
  readonly isUserActive: boolean;
  /** Remaining seconds; zero or less for an expired token. */
  readonly secondsLeft: number;
  /** Seconds since 1970. */
  readonly createdAt: number;
}

const FIND = `select k.position, t.user_id as "userId", a.uid, t.scopes,
    t.revoked_at is not null or t.refreshed_at is not null as "isRevoked",
    ${isActiveSql('u')} as "isUserActive",
    ceil(extract(epoch from t.expires_at - now()))::int as "secondsLeft",
    floor(extract(epoch from t.created_at))::int8 as "createdAt"
  from unnest($1::bytea[]) with ordinality as k(digest, position) join oauth_tokens t on t.digest = k.digest
    join users u on u.id = t.user_id left join oauth_applications a on a.id = t.application_id`;

/** Finds access tokens. */
@Injectable()
export class TokenInfoQueries {
  private readonly tokens: BatchedRead<TokenInfoRow & PositionedRow>;

  constructor(database: ReadDatabase) {
    this.tokens = database.batched(FIND);
  }

  /** Returns an access token in any state, or null. */
  findOrNull(token: string): Promise<TokenInfoRow | null> {
    return this.tokens.find(digestToken(token));
  }
}
