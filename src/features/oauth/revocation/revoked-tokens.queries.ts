import { Injectable } from '@nestjs/common';
import { digestToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { ClientFields } from '../client-authentication.js';

/** A token to revoke, with facts that decide who may do so. */
export interface RevokedTokenRow {
  readonly id: number;
  /** The first token of its family, possibly itself. */
  readonly firstId: number;
  readonly userId: number;
  readonly applicationId: number | null;
  readonly applicationName: string | null;
  /** Whether the application of the token can keep a secret; null without one. */
  readonly isConfidential: boolean | null;
  /** Neither revoked nor replaced. */
  readonly isAlive: boolean;
}

type Row = Omit<RevokedTokenRow, 'id'> &
  ClientFields & { readonly tokenId: number | null; readonly clientId: number | null };

const REFRESH = 'select * from oauth_tokens where refresh_digest = $2';
const EITHER = `select * from oauth_tokens where digest = $2 union all ${REFRESH} limit 1`;

const find = (
  tokens: string,
): string => `select a.id as "clientId", a.secret_digest as "secretDigest", a.confidential,
    t.id as "tokenId", coalesce(t.family_id, t.id) as "firstId", t.user_id as "userId",
    t.application_id as "applicationId", o.name as "applicationName", o.confidential as "isConfidential", t.revoked_at is null and t.refreshed_at is null as "isAlive"
  from (values (1)) one left join oauth_applications a on a.uid = $1
    left join (${tokens}) t on true left join oauth_applications o on o.id = t.application_id`;

const BY_EITHER = find(EITHER);
const BY_REFRESH = find(REFRESH);

/** Finds tokens to revoke. */
@Injectable()
export class RevokedTokensQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Finds a token of either kind, or only a refresh token, and the client with this `client_id`, in one
   * statement.
   */
  async find(
    uid: string,
    token: string,
    isRefresh: boolean,
  ): Promise<{ client: (ClientFields & { id: number }) | null; token: RevokedTokenRow | null }> {
    const text = isRefresh ? BY_REFRESH : BY_EITHER;
    const row = await this.database.always<Row>(text, [uid, digestToken(token)]);
    return {
      client: row.clientId === null ? null : { ...row, id: row.clientId },
      token: row.tokenId === null ? null : { ...row, id: row.tokenId },
    };
  }
}
