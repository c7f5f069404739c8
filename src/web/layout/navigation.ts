import { html, type Html } from '#kernel/html/html.js';
import { form, submit } from '../forms.js';

const LINKS = [
  ['/-/profile', 'Profile'],
  ['/-/profile/emails', 'E-mail addresses'],
  ['/-/profile/personal_access_tokens', 'Access tokens'],
  ['/-/profile/applications', 'Applications'],
  ['/-/profile/two_factor_auth', 'Two-factor authentication'],
] as const;

/** The way around for somebody who is signed in; `path` is where they are. */
export function navigation(path: string, csrfToken: string): Html {
  const links = LINKS.map(([href, label]) => {
    const isHere = path === href;
    return html`<li>
      ${isHere ? html`<a href="${href}" aria-current="page">${label}</a>` : html`<a href="${href}">${label}</a>`}
    </li>`;
  });
  const signOut = form(
    { action: '/users/sign_out', csrfToken },
    submit('Sign out', { look: 'secondary', small: true }),
  );
  return html`<nav aria-label="Account">
      <ul>
        ${links}
      </ul>
    </nav>
    ${signOut}`;
}
