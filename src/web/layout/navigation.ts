import { html, type Html } from '#kernel/html/html.js';
import { SECOND_FACTOR_PATH } from '#core/sign-in/first-steps.js';
import { form, submit } from '../forms/form.view.js';

const LINKS = [
  ['/-/projects', 'Projects'],
  ['/-/bulk_imports', 'Migrations'],
  ['/-/profile', 'Profile'],
  ['/-/profile/emails', 'E-mail addresses'],
  ['/-/profile/notifications', 'Notifications'],
  ['/-/profile/personal_access_tokens', 'Access tokens'],
  ['/-/profile/applications', 'Applications'],
  [SECOND_FACTOR_PATH, 'Two-factor authentication'],
] as const;

const ADMIN_LINKS = [
  ['/admin/applications', 'Instance applications'],
  ['/admin/storage_moves', 'Storage moves'],
  ['/admin/background_jobs', 'Background jobs'],
  ['/admin/health', 'Health'],
] as const;

/** Renders the navigation of a signed-in user; `path` is the current page. */
export function navigation(path: string, isAdmin: boolean, csrfToken: string): Html {
  const links = [...LINKS, ...(isAdmin ? ADMIN_LINKS : [])].map(([href, label]) => {
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
