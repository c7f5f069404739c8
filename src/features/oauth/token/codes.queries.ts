import { Injectable } from '@nestjs/common';
import { digestToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { settledSql } from '#core/tokens/rotation/first-uses.service.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { CLIENT_COLUMNS, clientOf, type ClientRow, type WithClientColumns } from './clients.queries.js';

/** A code as its exchange needs it. */
export interface CodeRow {
  readonly id: number;
  readonly applicationId: number;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  /** When its first use was committed; null if unused. */
  readonly usedAt: Date | null;
  readonly isExpired: boolean;
  /** Whether the account of its user is active. */
  readonly isUserActive: boolean;
}

type Row = WithClientColumns & Omit<CodeRow, 'id'> & { readonly codeId: number | null };

const FIND = `select ${CLIENT_COLUMNS}, g.id as "codeId", g.application_id as "applicationId", g.redirect_uri as "redirectUri",
    g.code_challenge as "codeChallenge", ${settledSql('g', 'used_at')} as "usedAt", g.expires_at <= now() as "isExpired",
    ${isActiveSql('u')} as "isUserActive"
  from (values (1)) one left join oauth_applications a on a.uid = $1
    left join oauth_grants g on g.digest = $2 left join users u on u.id = g.user_id`;

/** Finds authorization codes. */
@Injectable()
export class CodesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Finds a code and the client with this `client_id`, in one statement. */
  async find(uid: string, code: string): Promise<{ client: ClientRow | null; code: CodeRow | null }> {
    const row = await this.database.always<Row>(FIND, [uid, digestToken(code)]);
    return {
      client: clientOf(row),
      code: row.codeId === null ? null : { ...row, id: row.codeId },
    };
  }
}
