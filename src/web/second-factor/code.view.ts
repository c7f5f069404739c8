import { html, type Html } from '#kernel/html/html.js';
import { field, type FieldError } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';

/** Name of the only field of the second step of a sign-in. */
export const CODE_FIELD = 'user[otp_attempt]';

/** Asks for the second factor after the correct password. */
export const codeView = (action: string, csrfToken: string, errors: readonly FieldError[]): Html =>
  html`<div class="card">
      ${form(
        { action, csrfToken },
        field({
          label: 'Two-factor code',
          name: CODE_FIELD,
          hint: 'The six digits that your authenticator shows, or one of your recovery codes.',
          required: true,
          autofocus: true,
          inputmode: 'numeric',
          autocomplete: 'one-time-code',
          errors,
        }),
        submit('Verify code'),
      )}
    </div>
    <p class="muted">
      No phone and no recovery codes? Ask an administrator to turn off two-factor authentication for your
      account.
    </p>`;
