import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { ClientFields } from '../client-authentication.js';

/** An application as grants need it. */
export interface ClientRow extends ClientFields {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly redirectUris: readonly string[];
  readonly gracePeriodSeconds: number;
}

/** Select list of the client, for the alias `a`; all columns are null if there is no such client. */
export const CLIENT_COLUMNS = `a.id as "clientId", a.uid, a.name, a.secret_digest as "secretDigest", a.confidential,
  a.scopes as "clientScopes", a.redirect_uris as "redirectUris", a.refresh_grace_period_seconds as "gracePeriodSeconds"`;

/** A row with these columns. */
export interface WithClientColumns extends Omit<ClientRow, 'id' | 'scopes'> {
  readonly clientId: number | null;
  readonly clientScopes: readonly Scope[];
}

/** Returns the client of such a row. */
export const clientOf = (row: WithClientColumns): ClientRow | null =>
  row.clientId === null
    ? null
    : {
        id: row.clientId,
        uid: row.uid,
        name: row.name,
        secretDigest: row.secretDigest,
        confidential: row.confidential,
        scopes: row.clientScopes,
        redirectUris: row.redirectUris,
        gracePeriodSeconds: row.gracePeriodSeconds,
      };

/** Finds clients by their id. */
@Injectable()
export class ClientsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the client with this `client_id`, or null. */
  async findOrNull(uid: string): Promise<ClientRow | null> {
    const text = `select ${CLIENT_COLUMNS} from oauth_applications a where a.uid = $1`;
    const row = await this.database.one<WithClientColumns>(text, [uid]);
    return row && clientOf(row);
  }
}
