import { html, type Html } from '#kernel/html/html.js';
import type { TwoFactorRow } from '#core/two-factor/two-factor.queries.js';
import { SECOND_FACTOR_PATH } from '#core/sign-in/first-steps.js';
import { form, submit } from '../forms/form.view.js';
import { ownPassword, type FieldError } from '../forms/form-fields.view.js';

/** Path for requesting new recovery codes. */
export const RECOVERY_CODES_PATH = `${SECOND_FACTOR_PATH}/codes`;

/** With fewer codes left than this, a warning is shown. */
const FEW = 3;

/** Which of the two forms had a wrong password. */
export interface PasswordErrors {
  readonly of: 'renew' | 'disable';
  readonly errors: readonly FieldError[];
}

/**
 * Renders the actions of a user with a second factor: renewing the recovery codes or turning it off. Both
 * require the password.
 */
export const statusView = (
  { created_at: since, codes_left: left }: TwoFactorRow,
  csrfToken: string,
  isRequired: boolean,
  failed: PasswordErrors | null,
): Html =>
  html`<div class="card">
      <p>
        Two-factor authentication is <strong>on</strong> since
        <time datetime="${since.toISOString()}">${since.toUTCString()}</time>.
      </p>
      <p>
        ${left === 1 ? '1 recovery code is' : `${left} recovery codes are`} left.
        ${left < FEW && 'Make new ones before you need them.'}
      </p>
    </div>
    <div class="card">
      <h2>New recovery codes</h2>
      <p>Your current codes stop working.</p>
      ${form(
        { action: RECOVERY_CODES_PATH, csrfToken },
        ownPassword('Your password', 'password', failed?.of === 'renew' ? failed.errors : []),
        submit('Make new recovery codes', { look: 'secondary' }),
      )}
    </div>
    <div class="card">
      <h2>Turn off</h2>
      <p>
        ${
          isRequired
            ? 'Your account must use two-factor authentication: you will be asked to set it up again at once.'
            : 'Your password alone then opens your account.'
        }
      </p>
      ${form(
        { action: SECOND_FACTOR_PATH, method: 'delete', csrfToken },
        ownPassword('Current password', 'current_password', failed?.of === 'disable' ? failed.errors : []),
        submit('Turn off two-factor authentication', { look: 'danger' }),
      )}
    </div>`;
