import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { settledSql } from '#core/tokens/rotation/first-uses.service.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { CLIENT_COLUMNS, clientOf, type ClientRow, type WithClientColumns } from './clients.queries.js';

/** A refresh token as its exchange needs it. */
export interface RefreshTokenRow {
  readonly id: number;
  /** The first token of its family, possibly itself. */
  readonly firstId: number;
  readonly applicationId: number;
  /** Originally granted scopes. */
  readonly grantedScopes: readonly Scope[];
  /** Revoked before its first exchange; after an exchange only that counts. */
  readonly isRevoked: boolean;
  /** When its first exchange was committed, if the grace period is over; null while it may be exchanged. */
  readonly spentAt: Date | null;
  /** From its authorization; null if that is pruned. */
  readonly grantedUri: string | null;
  /** Whether the account of its user is active. */
  readonly isUserActive: boolean;
}

type Row = WithClientColumns & Omit<RefreshTokenRow, 'id'> & { readonly tokenId: number | null };

const FIND = `select ${CLIENT_COLUMNS}, t.id as "tokenId", coalesce(t.family_id, t.id) as "firstId",
    t.application_id as "applicationId", coalesce(t.refresh_scopes, t.scopes) as "grantedScopes",
    t.revoked_at is not null and t.refreshed_at is null as "isRevoked", g.redirect_uri as "grantedUri",
    case when t.refreshed_at <= clock_timestamp() - make_interval(secs => coalesce(a.refresh_grace_period_seconds, 0))
      then ${settledSql('t', 'refreshed_at')} end as "spentAt",
    ${isActiveSql('u')} as "isUserActive"
  from (values (1)) one left join oauth_applications a on a.uid = $1
    left join oauth_tokens t on t.refresh_digest = $2 left join oauth_grants g on g.id = t.grant_id
    left join users u on u.id = t.user_id`;

/** Finds refresh tokens. */
@Injectable()
export class RefreshTokensQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Finds a refresh token and the client with this `client_id`, in one statement. */
  async find(
    uid: string,
    refreshToken: string,
  ): Promise<{ client: ClientRow | null; token: RefreshTokenRow | null }> {
    const row = await this.database.always<Row>(FIND, [uid, digestToken(refreshToken)]);
    return {
      client: clientOf(row),
      token: row.tokenId === null ? null : { ...row, id: row.tokenId },
    };
  }
}
