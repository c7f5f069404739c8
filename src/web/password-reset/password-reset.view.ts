import { html, type Html } from '#kernel/html/html.js';
import { field, type FieldError } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';

/** State of a form that is shown again. */
export interface FormState {
  readonly errors: readonly FieldError[];
  readonly csrfToken: string;
}

/** Renders the form that asks for the address to send a link to. */
export const linkRequestView = (
  { action, text, button }: { action: string; text: string; button: string },
  sent: string,
  { errors, csrfToken }: FormState,
): Html =>
  html`<div class="card">
      <p>${text}</p>
      ${form(
        { action, csrfToken },
        field({
          label: 'E-mail address',
          name: 'email',
          type: 'email',
          value: sent,
          required: true,
          autocomplete: 'email',
          maxLength: 254,
          errors,
        }),
        submit(button),
      )}
    </div>
    <p><a href="/users/sign_in">Back to the sign-in</a></p>`;

/** Renders the form that asks the holder of the link for a new password. */
export const newPasswordView = (token: string, { errors, csrfToken }: FormState): Html =>
  html`<div class="card">
    ${form(
      { action: '/users/password', method: 'put', csrfToken },
      html`<input type="hidden" name="reset_password_token" value="${token}" />`,
      field({
        label: 'New password',
        name: 'password',
        type: 'password',
        hint: 'At least 8 characters. Afterwards you are signed out everywhere.',
        required: true,
        autocomplete: 'new-password',
        errors,
      }),
      field({
        label: 'New password again',
        name: 'password_confirmation',
        type: 'password',
        required: true,
        autocomplete: 'new-password',
        errors,
      }),
      submit('Change the password'),
    )}
  </div>`;
