import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import type { AuditAuthor } from '#core/audit/audit-log.service.js';
import { OauthAudit, type AuditedApplication } from '../oauth.audit.js';
import { OauthTokenRevocationService } from '../oauth-token-revocation.service.js';

/** Consent covers the scopes that the refresh token may request. */
const CONSENT = `select 1 from oauth_tokens where application_id = $1 and user_id = $2 and revoked_at is null and refreshed_at is null
  and coalesce(refresh_scopes, scopes) @> $3::text[] and coalesce(refresh_scopes, scopes) <@ $3::text[] limit 1`;

/** Manages which applications a user has authorized. */
@Injectable()
export class AuthorizedApplicationsService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly revocations: OauthTokenRevocationService,
    private readonly audit: OauthAudit,
  ) {}

  /**
   * Returns whether the user has authorized exactly these scopes before and not revoked them, even if
   * expired.
   */
  async hasConsent(userId: number, applicationId: number, scopes: readonly Scope[]): Promise<boolean> {
    return (await this.database.one(CONSENT, [applicationId, userId, scopes])) !== null;
  }

  /** Revokes the authorization of an application by a user. @returns whether there was any */
  revoke(userId: number, application: AuditedApplication, author: AuditAuthor | null): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const total = await this.revocations.ofApplicationAndUser(tx, application.id, userId);
      if (total === 0) return false;
      const message = `Revoked OAuth application with id ${application.id}`;
      await this.audit.record(tx, author, userId, application, message);
      return true;
    });
  }
}
