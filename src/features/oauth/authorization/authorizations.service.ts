import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { AuthorizedApplicationsService } from '#core/oauth-tokens/applications/authorized-applications.service.js';
import { GrantsService } from '#core/oauth-tokens/grants.service.js';
import type { AuthorizationRequest } from './authorization-request.js';
import type { AuthorizingUser } from './authorizing-user.queries.js';
import { promptsOf } from './checks/prompts.js';

/** Authorizes applications for users. */
@Injectable()
export class AuthorizationsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly grants: GrantsService,
    private readonly consents: AuthorizedApplicationsService,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Returns whether the user must be asked for consent. Trusted applications need none, confidential ones
   * none for scopes that the user granted before; a public client may be an impostor. The client can request
   * the page anyway.
   */
  async isConsentDue(
    { application, parameters, scopes }: AuthorizationRequest,
    user: AuthorizingUser,
  ): Promise<boolean> {
    if (promptsOf(parameters).has('consent')) return true;
    if (application.trusted) return false;
    return !application.confidential || !(await this.consents.hasConsent(user.id, application.id, scopes));
  }

  /**
   * Issues a code for a request that needs no consent. Null if the application changed since the request was
   * checked, or the user no longer exists.
   */
  async pass(request: AuthorizationRequest, user: AuthorizingUser): Promise<string | null> {
    return this.transactions.run((tx) => this.grant(tx, request, user));
  }

  /** Issues a code for a request with consent, and records it. Null as for `pass`. */
  async approve(request: AuthorizationRequest, user: AuthorizingUser): Promise<string | null> {
    return this.transactions.run(async (tx) => {
      const code = await this.grant(tx, request, user);
      if (code !== null) await this.record(tx, request, user);
      return code;
    });
  }

  private async grant(
    tx: Tx,
    { application, to, scopes, codeChallenge, nonce }: AuthorizationRequest,
    user: AuthorizingUser,
  ): Promise<string | null> {
    if (!(await isUnchanged(tx, application, user.id))) return null;
    return this.grants.create(tx, {
      applicationId: application.id,
      userId: user.id,
      redirectUri: to.redirectUri,
      scopes,
      codeChallenge,
      nonce,
      authTime: user.authenticatedAt,
    });
  }

  private async record(
    tx: Tx,
    { application, scopes }: AuthorizationRequest,
    user: AuthorizingUser,
  ): Promise<void> {
    const target = { type: 'OauthApplication', id: application.id, details: application.name };
    await this.audit.record(tx, user, { type: 'User', id: user.id, path: user.username }, target, {
      eventName: 'user_authorized_oauth_application',
      customMessage: `Authorized OAuth application with id ${application.id} for ${scopes.join(' ')}`,
    });
  }
}

const HOLD = `select a.updated_at from oauth_applications a join users u on u.id = $2 where a.id = $1
  for share of a for key share of u`;

/**
 * Blocks changes of the application and the removal of the user until the code is stored; after earlier ones
 * the request must be checked again.
 */
async function isUnchanged(
  tx: Tx,
  { id, updatedAt }: AuthorizationRequest['application'],
  userId: number,
): Promise<boolean> {
  const [row] = await tx.query<{ updated_at: Date }[]>(HOLD, [id, userId]);
  return row?.updated_at.getTime() === updatedAt.getTime();
}
