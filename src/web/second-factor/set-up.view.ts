import { html, type Html } from '#kernel/html/html.js';
import type { TwoFactorSetUp } from '#core/two-factor/two-factor-set-up.service.js';
import { SECOND_FACTOR_PATH } from '#core/sign-in/first-steps.js';
import { field, ownPassword, type FieldError } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';
import { qrCode } from './qr-code.js';

const inGroups = (secret: string): string => secret.replace(/.{4}(?=.)/g, '$& ');

const whyNow = (dueAt: Date): Html =>
  html`<p class="notice">
    Your account must use two-factor authentication.
    ${
      dueAt.getTime() <= Date.now()
        ? 'Please set it up before you continue.'
        : html`Please set it up by <time datetime="${dueAt.toISOString()}">${dueAt.toUTCString()}</time>.`
    }
  </p>`;

/** Renders the set-up of an authenticator: scan or type its secret, then prove it with a code. */
export const setUpView = (
  { secret, uri, sealed }: TwoFactorSetUp,
  csrfToken: string,
  dueAt: Date | null,
  errors: readonly FieldError[],
): Html =>
  html`${dueAt && whyNow(dueAt)}
    <p>
      Two-factor authentication protects your account even if someone learns your password: signing in then
      also takes a code from an authenticator application on your phone.
    </p>
    <div class="card">
      <h2>1. Scan this code with your authenticator</h2>
      <p><span class="qr">${qrCode(uri, 'QR code with the key of your account')}</span></p>
      <p>If you cannot scan it, add the account by hand with this key:</p>
      <p><code id="two-factor-key">${inGroups(secret)}</code></p>
      <p class="muted">Time based, 6 digits, a new code every 30 seconds.</p>
    </div>
    <div class="card">
      <h2>2. Enter the code that it shows, and your password</h2>
      ${form(
        { action: SECOND_FACTOR_PATH, csrfToken },
        html`<input type="hidden" name="sealed_secret" value="${sealed}" />`,
        field({
          label: 'Six-digit code',
          name: 'code',
          required: true,
          inputmode: 'numeric',
          autocomplete: 'one-time-code',
          errors,
        }),
        ownPassword('Current password', 'current_password', errors),
        submit('Turn on two-factor authentication'),
      )}
    </div>`;
