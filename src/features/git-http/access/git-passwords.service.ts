import { Injectable } from '@nestjs/common';
import { clientKey } from '#kernel/rate-limit/client-key.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { PasswordCheckService } from '#core/sign-in/password-check.service.js';
import { TwoFactorQueries } from '#core/two-factor/two-factor.queries.js';
import { denied } from '../git-answer.js';
import type { BasicCredentials } from './basic-credentials.js';

const THROTTLE = 'throttle_git_passwords';

/** Secrets that we have made: whoever sends a stale one does not guess a password, and must not lock the account. */
const OWN_SECRET = /^(?:gl[a-z]{2,6}-[\w-]{16,}|[0-9a-f]{64})$/;
const NO_USERNAME = /\+deploy-token-/;

/** Passwords of accounts, where tokens are not asked for. */
@Injectable()
export class GitPasswordsService {
  constructor(
    private readonly settings: SettingsService,
    private readonly limiter: RateLimiter,
    private readonly check: PasswordCheckService,
    private readonly twoFactor: TwoFactorQueries,
  ) {}

  /**
   * The id of the user whose password it is. Wrong ones count for the lock of the account and the throttle of the address, whose
   * limit is that of all places where passwords can be guessed; right ones do not, since git sends them with every request.
   * @throws 401; 429 for an address that has guessed too often
   */
  async prove({ login, password }: BasicCredentials): Promise<number> {
    const { values } = this.settings;
    const isOff = !values.password_authentication_enabled_for_git || values.require_two_factor_authentication;
    if (isOff || this.isSecret(password) || NO_USERNAME.test(login)) throw denied();
    const limit = values.throttle_protected_paths_requests_per_period;
    const period = values.throttle_protected_paths_period_in_seconds;
    const isCounted = values.throttle_protected_paths_enabled;
    const known = isCounted ? await this.limiter.look(THROTTLE, clientKey(), limit) : null;
    if (known?.allowed === false)
      throw tooManyRequests(THROTTLE, known, period, values.rate_limiting_response_text);
    const verdict = await this.check.verify(login, password);
    if (verdict.ok && !(await this.twoFactor.isAskedByGroup(verdict.user.id))) return verdict.user.id;
    if (verdict.ok) throw denied();
    if (isCounted) await this.limiter.hit(THROTTLE, clientKey(), limit, period);
    throw denied();
  }

  private isSecret(password: string): boolean {
    const { personal_access_token_prefix: prefix } = this.settings.values;
    const isPrefixed = prefix !== '' && password.startsWith(prefix) && password.length >= prefix.length + 20;
    return isPrefixed || OWN_SECRET.test(password);
  }
}
