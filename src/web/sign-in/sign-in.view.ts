import { html, type Html } from '#kernel/html/html.js';
import { checkbox, field } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';

/** Parameters of the sign-in view. */
export interface SignInView {
  readonly csrfToken: string;
  /** Whether signing in with a password is enabled. */
  readonly isOffered: boolean;
  readonly login: string;
  readonly remember: boolean;
}

/** Renders the sign-in form. Nothing hinders password managers or pasting (WCAG 3.3.8). */
export function signInView({ csrfToken, isOffered, login, remember }: SignInView): Html {
  if (!isOffered)
    return html`<div class="card"><p>Signing in with a password is switched off here.</p></div>`;
  const fields = [
    field({
      label: 'Username or e-mail address',
      name: 'user[login]',
      value: login,
      autocomplete: 'username',
      required: true,
      autofocus: login === '',
    }),
    field({
      label: 'Password',
      name: 'user[password]',
      type: 'password',
      autocomplete: 'current-password',
      required: true,
      autofocus: login !== '',
    }),
    checkbox({ label: 'Remember me for two weeks', name: 'user[remember_me]', checked: remember }),
    html`<div class="actions">${submit('Sign in')}</div>`,
  ];
  return html`<div class="card">${form({ action: '/users/sign_in', csrfToken }, fields)}</div>
    <ul class="links">
      <li><a href="/users/password/new">Forgot your password?</a></li>
      <li><a href="/users/confirmation/new">Did you not receive the confirmation email?</a></li>
    </ul>`;
}
