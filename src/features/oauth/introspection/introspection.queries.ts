import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { isActiveSql } from '#core/users/active-sql.js';
import type { ClientFields } from '../client-authentication.js';

/** A token that somebody asks about. */
export interface InspectedToken {
  readonly applicationId: number | null;
  readonly applicationUid: string | null;
  readonly userId: number;
  readonly scopes: readonly Scope[];
  readonly isRefresh: boolean;
  /** Good for something: neither revoked, replaced nor expired, and of an account that may act. */
  readonly isActive: boolean;
  /** Both in seconds since 1970. */
  readonly expiresAt: number;
  readonly createdAt: number;
}

/** The token that the request is made with, in place of a client. */
export interface BearerToken {
  readonly id: number;
  readonly applicationId: number | null;
  readonly userId: number;
}

type TokenRow = InspectedToken & { readonly tokenId: number | null };
type ClientRow = TokenRow & Omit<ClientFields, 'id'> & { readonly clientId: number | null };
type BearerRow = TokenRow & {
  readonly bearerId: number | null;
  readonly bearerApplicationId: number | null;
  readonly bearerUserId: number;
};

/** `$2` is the digest of the inspected token; a client mostly asks about its own. */
const INSPECTED = `left join (
      select *, false as is_refresh from oauth_tokens where digest = $2
      union all select *, true as is_refresh from oauth_tokens where refresh_digest = $2 limit 1) t on true
    left join oauth_applications o on o.id = t.application_id left join users u on u.id = t.user_id`;

const COLUMNS = `t.id as "tokenId", t.application_id as "applicationId", o.uid as "applicationUid", t.user_id as "userId",
  case when t.is_refresh then coalesce(t.refresh_scopes, t.scopes) else t.scopes end as scopes, t.is_refresh as "isRefresh",
  t.revoked_at is null and t.refreshed_at is null and (t.is_refresh or t.expires_at > now())
    and ${isActiveSql('u')} as "isActive",
  floor(date_part('epoch', t.expires_at))::int8 as "expiresAt", floor(date_part('epoch', t.created_at))::int8 as "createdAt"`;

const BY_CLIENT = `select a.id as "clientId", a.secret_digest as "secretDigest", a.confidential, ${COLUMNS}
  from (values (1)) one left join oauth_applications a on a.uid = $1 ${INSPECTED}`;

const BY_BEARER = `select b.id as "bearerId", b.application_id as "bearerApplicationId", b.user_id as "bearerUserId", ${COLUMNS}
  from (values (1)) one
    left join (oauth_tokens b join users v on v.id = b.user_id and ${isActiveSql('v')})
      on b.digest = $1 and b.revoked_at is null and b.refreshed_at is null and b.expires_at > now() ${INSPECTED}`;

const inspectedOf = (row: TokenRow): InspectedToken | null => (row.tokenId === null ? null : row);

/** Finds the caller of an introspection and the token that it is about, at once. */
@Injectable()
export class IntrospectionQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** For a client that names itself. */
  async byClient(
    uid: string,
    token: string,
  ): Promise<{ client: (ClientFields & { id: number }) | null; token: InspectedToken | null }> {
    const row = await this.database.always<ClientRow>(BY_CLIENT, [uid, digestToken(token)]);
    const { clientId: id, secretDigest, confidential } = row;
    return { client: id === null ? null : { id, secretDigest, confidential }, token: inspectedOf(row) };
  }

  /** For a caller with an access token; null for one that is of no use. */
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
