import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';

/** An application that a user has authorized. */
export interface AuthorizedApplication {
  readonly id: number;
  readonly name: string;
  /** The union of the scopes of its tokens. */
  readonly scopes: readonly Scope[];
  readonly authorizedAt: Date;
  readonly lastUsedAt: Date | null;
}

/**
 * Tokens that are not revoked count as authorization even when expired, since the user is not asked again.
 * Tokens replaced by a refresh only contribute the date of authorization. With an id, one application; with
 * null, all.
 */
const AUTHORIZED = `select a.id, a.name, min(t.created_at) as "authorizedAt", max(t.last_used_at) as "lastUsedAt",
    array(select distinct scope from oauth_tokens o, unnest(o.scopes || coalesce(o.refresh_scopes, '{}')) scope
      where o.application_id = a.id and o.user_id = $1 and o.revoked_at is null and o.refreshed_at is null
      order by scope) as scopes
  from oauth_tokens t join oauth_applications a on a.id = t.application_id
  where t.user_id = $1 and t.revoked_at is null and a.id = coalesce($2::bigint, a.id)
  group by a.id having bool_or(t.refreshed_at is null)
  order by lower(a.name), a.id limit 1000`;

/** Queries for the applications that users have authorized. */
@Injectable()
export class AuthorizedApplicationsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Lists the applications that the user has authorized, by name, up to a number that a person can still look
   * through.
   */
  list(userId: number): Promise<AuthorizedApplication[]> {
    return this.database.long<AuthorizedApplication>(AUTHORIZED, [userId, null]);
  }

  /** Finds an application that the user has authorized. Null if they have not. */
  findOrNull(userId: number, applicationId: number): Promise<AuthorizedApplication | null> {
    return this.database.one<AuthorizedApplication>(AUTHORIZED, [userId, applicationId]);
  }
}
