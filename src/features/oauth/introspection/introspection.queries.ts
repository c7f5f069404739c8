import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { BatchedRead, PositionedRow } from '#kernel/database/lanes/batched-read.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isActiveSql } from '#core/users/active.sql.js';
import type { ClientFields } from '../client-authentication.js';

/** A token being introspected. */
export interface InspectedToken {
  readonly applicationId: number | null;
  readonly applicationUid: string | null;
  readonly userId: number;
  readonly scopes: readonly Scope[];
  readonly isRefresh: boolean;
  /** Valid: neither revoked, replaced nor expired, and of an active account. */
  readonly isActive: boolean;
  /** Both in seconds since 1970. */
  readonly expiresAt: number;
  readonly createdAt: number;
}

/** The token that authenticates the request instead of a client. */
export interface BearerToken {
  readonly id: number;
  readonly applicationId: number | null;
  readonly userId: number;
}

type TokenRow = InspectedToken & { readonly tokenId: number | null };

/** The client and the introspected token; ids are null for what does not exist. */
export type ClientInquiry = TokenRow & ClientFields & { readonly clientId: number | null };

type BearerRow = TokenRow & {
  readonly bearerId: number | null;
  readonly bearerApplicationId: number | null;
  readonly bearerUserId: number;
};

/** SQL for the introspected token with this digest, and its user. */
const inspected = (digest: string): string => `left join lateral (
      select *, false as is_refresh from oauth_tokens where digest = ${digest}
      union all select *, true as is_refresh from oauth_tokens where refresh_digest = ${digest} limit 1) t on true
    left join users u on u.id = t.user_id`;

const COLUMNS = `t.id as "tokenId", t.application_id as "applicationId", t.user_id as "userId",
  case when t.is_refresh then coalesce(t.refresh_scopes, t.scopes) else t.scopes end as scopes, t.is_refresh as "isRefresh",
  t.revoked_at is null and t.refreshed_at is null and (t.is_refresh or t.expires_at > now())
    and ${isActiveSql('u')} as "isActive",
  floor(date_part('epoch', t.expires_at))::int8 as "expiresAt", floor(date_part('epoch', t.created_at))::int8 as "createdAt"`;

/** A client sees only its own tokens, so the application is the client itself. */
const BY_CLIENT = `select k.position, a.id as "clientId", a.secret_digest as "secretDigest", a.confidential, a.uid as "applicationUid", ${COLUMNS}
  from unnest($1::text[], $2::bytea[]) with ordinality as k(uid, digest, position)
    left join oauth_applications a on a.uid = k.uid ${inspected('k.digest')}`;

const BY_BEARER = `select b.id as "bearerId", b.application_id as "bearerApplicationId", b.user_id as "bearerUserId", o.uid as "applicationUid", ${COLUMNS}
  from (values (1)) one
    left join (oauth_tokens b join users v on v.id = b.user_id and ${isActiveSql('v')})
      on b.digest = $1 and b.revoked_at is null and b.refreshed_at is null and b.expires_at > now() ${inspected('$2')}
    left join oauth_applications o on o.id = t.application_id`;

const inspectedOf = (row: TokenRow): InspectedToken | null => (row.tokenId === null ? null : row);

/** Finds the caller of an introspection and the token, in one statement. */
@Injectable()
export class IntrospectionQueries {
  private readonly clients: BatchedRead<ClientInquiry & PositionedRow>;

  constructor(private readonly database: ReadDatabase) {
    this.clients = database.batched(BY_CLIENT);
  }

  /** Finds them for a client; the token may belong to another client, whose name is not read. */
  byClient(uid: string, token: string): Promise<ClientInquiry | null> {
    return this.clients.find(uid, digestToken(token));
  }

  /** Finds them for a caller with an access token; null if that is invalid. */
  async byBearer(
    bearer: string,
    token: string,
  ): Promise<{ bearer: BearerToken | null; token: InspectedToken | null; isItself: boolean }> {
    const row = await this.database.always<BearerRow>(BY_BEARER, [digestToken(bearer), digestToken(token)]);
    const { bearerId: id, bearerApplicationId: applicationId, bearerUserId: userId } = row;
    return {
      bearer: id === null ? null : { id, applicationId, userId },
      token: inspectedOf(row),
      isItself: id !== null && id === row.tokenId,
    };
  }
}
