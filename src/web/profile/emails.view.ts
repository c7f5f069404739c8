import { html, type Html } from '#kernel/html/html.js';
import type { UserEmailRow } from '#core/users/user-email.record.js';
import type { UserRow } from '#core/users/user.row.js';
import { dataTable, field, form, submit, type FieldError } from '../forms.js';

/** Where the page of addresses is. */
export const EMAILS_PATH = '/-/profile/emails';

/** What the page of addresses is made of. */
export interface EmailsView {
  readonly user: UserRow;
  readonly further: readonly UserEmailRow[];
  /** The address that was sent and not taken. */
  readonly sent: string;
  readonly errors: readonly FieldError[];
  readonly csrfToken: string;
}

const stateOf = (isPrimary: boolean, confirmedAt: Date | null): Html =>
  html`${isPrimary && html`<span class="badge">Primary</span> `}<span class="badge"
      >${confirmedAt === null ? 'Not confirmed' : 'Confirmed'}</span
    >`;

/** All addresses of a user with what can be done to each, and the form for one more. */
export function emailsView({ user, further, sent, errors, csrfToken }: EmailsView): Html {
  const rows = further.map(({ id, email, confirmed_at: at }) => [
    email,
    stateOf(false, at),
    html`<div class="actions">
      ${
        at === null
          ? form(
              { action: `${EMAILS_PATH}/${id}/confirmation`, csrfToken },
              submit(`Send the mail to ${email} again`, { look: 'secondary', small: true }),
            )
          : html`<a class="button secondary small" href="${EMAILS_PATH}/${id}/primary"
              >Make ${email} primary</a
            >`
      }
      <a class="button danger small" href="${EMAILS_PATH}/${id}/remove">Remove ${email}</a>
    </div>`,
  ]);
  const primary = [user.email, stateOf(true, user.confirmed_at), html`<span class="muted">In use</span>`];
  return html`<p>
      We write to your primary address. You can sign in with every confirmed one, show it in your profile and
      use it for commits.
    </p>
    ${dataTable('Your e-mail addresses', ['Address', 'State', 'Actions'], [primary, ...rows])}
    <section class="card" aria-labelledby="new-address">
      <h2 id="new-address">Add an address</h2>
      ${form(
        { action: EMAILS_PATH, csrfToken },
        field({
          label: 'E-mail address',
          name: 'email',
          type: 'email',
          value: sent,
          hint: 'We send a mail with a link to it. The address counts once you have followed the link.',
          required: true,
          autocomplete: 'email',
          maxLength: 254,
          errors,
        }),
        submit('Add address'),
      )}
    </section>`;
}

/** Asks for the password before the primary address changes: whoever reads its mail can take over the account. */
export const primaryView = (
  { id, email }: UserEmailRow,
  errors: readonly FieldError[],
  csrfToken: string,
): Html =>
  html`<div class="card">
    <p>
      From then on we write to <strong>${email}</strong>, also when you have forgotten your password. The
      present primary address stays as a further one.
    </p>
    ${form(
      { action: `${EMAILS_PATH}/${id}/primary`, method: 'put', csrfToken },
      field({
        label: 'Current password',
        name: 'current_password',
        type: 'password',
        required: true,
        autocomplete: 'current-password',
        errors,
      }),
      html`<div class="actions">
        ${submit(`Make ${email} primary`)}<a class="button secondary" href="${EMAILS_PATH}">Cancel</a>
      </div>`,
    )}
  </div>`;

/** The page of a mailed link: only its button confirms anything, because programs open links on their own. */
export const confirmView = (
  { address, username }: { address: string; username: string },
  token: string,
  csrfToken: string,
): Html =>
  html`<div class="card">
    <p>
      Is <strong>${address}</strong> the address of the account <strong>${username}</strong>, and is that
      account yours? Then please confirm it. If you do not know the account, close this page.
    </p>
    ${form(
      { action: `${EMAILS_PATH}/confirm`, csrfToken },
      html`<input type="hidden" name="token" value="${token}" />`,
      submit('Confirm the address'),
    )}
  </div>`;
