import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { OauthAudit } from '#core/oauth-tokens/oauth.audit.js';
import { mayGrant, requestedScopes } from '#core/oauth-tokens/oauth-scopes.js';
import { OauthTokensService } from '#core/oauth-tokens/oauth-tokens.service.js';
import { PasswordCheckService } from '#core/sign-in/password-check.service.js';
import { ProtectedPathsLimit } from '#core/sign-in/protected-paths.limit.js';
import { isAuthentic } from '../client-authentication.js';
import { oauthError } from '../oauth-error.js';
import { ClientsQueries, type ClientRow } from './clients.queries.js';
import type { GrantedToken, GrantType, TokenRequest } from './token-request.js';

/** `password` (RFC 6749 4.3): for programs trusted with the password. No refresh token, no second factor. */
@Injectable()
export class PasswordGrant implements GrantType {
  constructor(
    private readonly transactions: Transactions,
    private readonly settings: SettingsService,
    private readonly clients: ClientsQueries,
    private readonly paths: ProtectedPathsLimit,
    private readonly passwords: PasswordCheckService,
    private readonly tokens: OauthTokensService,
    private readonly audit: OauthAudit,
  ) {}

  async grant(request: TokenRequest): Promise<GrantedToken> {
    await this.paths.admit();
    const client = await this.authenticate(request);
    const user = await this.signIn(request.form);
    const scopes = requestedScopes(request.form.get('scope'), client?.scopes ?? null);
    if (!scopes || !mayGrant(scopes, user.admin)) throw oauthError('invalid_scope');
    const token = await this.transactions.run(async (tx) => {
      const issued = await this.tokens.issue(tx, {
        userId: user.id,
        applicationId: client?.id ?? null,
        scopes,
      });
      const applicationName = client?.name ?? null;
      if (issued) await this.audit.recordToken(tx, user, { ...issued, applicationName }, 'Created');
      return issued;
    });
    if (!token) throw oauthError('invalid_grant');
    return { token, applicationUid: client?.uid ?? null };
  }

  /** Returns the client; null if none is named and none is required. @throws 401 */
  private async authenticate({ client: sent }: TokenRequest): Promise<ClientRow | null> {
    if (!sent) {
      if (this.settings.values.password_grant_without_client) return null;
      throw oauthError('invalid_client');
    }
    const client = await this.clients.findOrNull(sent.id);
    if (!client || !isAuthentic(client, sent)) throw oauthError('invalid_client', { basic: sent.isBasic });
    return client;
  }

  /**
   * Checks the password. It never suffices if the instance or a group of the user requires a second factor.
   * @throws 400
   */
  private async signIn(form: TokenRequest['form']): Promise<{ id: number; name: string; admin: boolean }> {
    const [username, password] = [form.get('username'), form.get('password')];
    const {
      password_authentication_enabled_for_git: isEnabled,
      require_two_factor_authentication: needsSecondFactor,
    } = this.settings.values;
    if (username === null || password === null || !isEnabled || needsSecondFactor)
      throw oauthError('invalid_grant');
    const verdict = await this.passwords.verify(username, password);
    if (!verdict.ok) throw oauthError('invalid_grant');
    return verdict.user;
  }
}
