import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { forbidden, HttpError, insufficientScope, invalidToken, unauthorized } from '#kernel/http/errors.js';
import { requestOf } from '#kernel/http/request.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { SudoAudit } from '#core/audit/sudo.audit.js';
import { isInternalType } from '#core/users/user-values.js';
import { findSudo } from './credentials/credentials.js';
import { routeInfo } from './access/route-info.js';

const IMPERSONATION_OFF = 'Token is an impersonation token but impersonation was disabled.';

/**
 * Third guard: whether the caller may act as the user named in sudo, in the order of checks of `auth-core.md`
 * 3.
 */
@Injectable()
export class SudoGuard implements CanActivate {
  constructor(
    private readonly settings: SettingsService,
    private readonly audit: SudoAudit,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const caller = request.access as Caller;
    if (caller.credential?.impersonation && !this.settings.values.impersonation_enabled)
      throw invalidToken(IMPERSONATION_OFF);
    const { rule } = routeInfo(context);
    const takesSudo = rule.page === undefined && rule.credential === undefined;
    const value = takesSudo ? findSudo(request) : null;
    if (value === null) return true;
    if (!caller.owner) throw unauthorized();
    if (!this.mayAdminister(caller)) throw forbidden('Must be admin to use sudo');
    if (caller.credential?.kind === 'session' || caller.credential?.kind === 'job') {
      throw forbidden('Must be authenticated using an OAuth or Personal Access Token to use sudo');
    }
    if (!caller.credential?.scopes.includes('sudo')) throw insufficientScope(['sudo']);
    if (caller.sudo === 'unknown') {
      throw new HttpError(404, { message: `404 User with ID or username '${value}' Not Found` });
    }
    if (caller.actor && isInternalType(caller.actor.userType))
      throw forbidden('This action cannot be performed by internal users');
    if (caller.sudo === 'self' || request.method === 'GET' || request.method === 'HEAD') return true;
    return this.audit
      .record(caller, request.method, (request.route as { path: string }).path)
      .then(() => true);
  }

  /** In admin mode, tokens of administrators grant admin rights only with a scope for it. */
  private mayAdminister({ owner, credential }: Caller): boolean {
    if (!owner?.admin) return false;
    const { admin_mode: isAdminMode } = this.settings.values;
    return (
      !isAdminMode || credential?.kind === 'session' || credential?.scopes.includes('admin_mode') === true
    );
  }
}
