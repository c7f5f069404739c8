import { html, type Html } from '#kernel/html/html.js';
import { field, ownPassword, type FieldError } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';

/** Renders the password form; `isExpired` if it is mandatory. */
export function passwordView(
  action: string,
  username: string,
  csrfToken: string,
  isExpired: boolean,
  errors: readonly FieldError[],
): Html {
  const fields = [
    // Tells password managers which account the password belongs to.
    html`<input type="text" autocomplete="username" value="${username}" hidden />`,
    ownPassword('Current password', 'user[current_password]', errors),
    field({
      label: 'New password',
      name: 'user[password]',
      type: 'password',
      autocomplete: 'new-password',
      hint: '8 characters or more.',
      required: true,
      errors,
    }),
    field({
      label: 'Repeat the new password',
      name: 'user[password_confirmation]',
      type: 'password',
      autocomplete: 'new-password',
      required: true,
      errors,
    }),
    html`<div class="actions">${submit('Change password')}</div>`,
  ];
  const reason = isExpired
    ? 'Your password has expired. Please choose a new one before you continue.'
    : 'All your other sessions end when you change your password.';
  return html`<div class="card">
    <p>${reason}</p>
    ${form({ action, method: 'put', csrfToken }, fields)}
  </div>`;
}
