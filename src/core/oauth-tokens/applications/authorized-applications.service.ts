import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { AuditAuthor } from '#core/audit/audit-log.service.js';
import { OauthAudit, type AuditedApplication } from '../oauth.audit.js';
import { OauthTokenRevocationService } from '../oauth-token-revocation.service.js';

/** What was consented to is what the refresh token may ask for. */
const CONSENT = `select 1 from oauth_tokens where application_id = $1 and user_id = $2 and revoked_at is null and refreshed_at is null
  and coalesce(refresh_scopes, scopes) @> $3::text[] and coalesce(refresh_scopes, scopes) <@ $3::text[] limit 1`;

/** What users have allowed which applications. */
@Injectable()
export class AuthorizedApplicationsService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly revocations: OauthTokenRevocationService,
    private readonly audit: OauthAudit,
  ) {}

  /** Whether the user has allowed the application exactly these scopes before and has not taken it back, expired or not. */
  async hasConsent(userId: number, applicationId: number, scopes: readonly Scope[]): Promise<boolean> {
    return (await this.database.one(CONSENT, [applicationId, userId, scopes])) !== null;
  }

  /** Takes back all that an application may do for a user. @returns whether there was something */
  async revoke(
    tx: Tx,
    userId: number,
    application: AuditedApplication,
    author: AuditAuthor | null,
  ): Promise<boolean> {
    const total = await this.revocations.ofApplicationAndUser(tx, application.id, userId);
    if (total === 0) return false;
    await this.audit.record(
      tx,
      author,
      userId,
      application,
      `Revoked OAuth application with id ${application.id}`,
    );
    return true;
  }
}
