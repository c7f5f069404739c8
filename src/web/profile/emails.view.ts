import { html, type Html } from '#kernel/html/html.js';
import type { UserEmailRow } from '#core/users/addresses/user-email.record.js';
import type { UserRow } from '#core/users/records/user.row.js';
import { field, ownPassword, type FieldError } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';

/** Path of the email addresses page. */
export const EMAILS_PATH = '/-/profile/emails';

/** Parameters of the email addresses view. */
export interface EmailsView {
  readonly user: UserRow;
  readonly further: readonly UserEmailRow[];
  /** The submitted address that was rejected. */
  readonly sent: string;
  readonly errors: readonly FieldError[];
  readonly csrfToken: string;
}

/** Renders an address with its state and actions. */
const card = (id: number, email: string, states: readonly string[], actions: Html | null): Html =>
  html`<section class="card" aria-labelledby="address-${id}">
    <h2 id="address-${id}">${email}</h2>
    <p>${states.map((state) => html`<span class="badge">${state}</span> `)}</p>
    ${actions && html`<div class="actions">${actions}</div>`}
  </section>`;

function furtherCard({ id, email, confirmed_at: at }: UserEmailRow, csrfToken: string): Html {
  const next =
    at === null
      ? form(
          { action: `${EMAILS_PATH}/${id}/confirmation`, csrfToken },
          submit('Send the mail again', { look: 'secondary', small: true }),
        )
      : html`<a
          class="button secondary small"
          href="${EMAILS_PATH}/${id}/primary"
          aria-label="Make primary: ${email}"
          >Make primary</a
        >`;
  const remove = html`<a
    class="button danger small"
    href="${EMAILS_PATH}/${id}/remove"
    aria-label="Remove ${email}"
    >Remove</a
  >`;
  return card(id, email, [stateOf(at)], html`${next}${remove}`);
}

const stateOf = (confirmedAt: Date | null): string => (confirmedAt === null ? 'Not confirmed' : 'Confirmed');

/** Renders all addresses of a user with their actions, and the form for adding one. */
export function emailsView({ user, further, sent, errors, csrfToken }: EmailsView): Html {
  return html`<p>
      We write to your primary address. You can sign in with any confirmed address, show it in your profile
      and use it for commits.
    </p>
    ${card(0, user.email, ['Primary', stateOf(user.confirmed_at)], null)}
    ${further.map((email) => furtherCard(email, csrfToken))}
    <section class="card" aria-labelledby="new-address">
      <h2 id="new-address">Add an address</h2>
      ${form(
        { action: EMAILS_PATH, csrfToken },
        field({
          label: 'E-mail address',
          name: 'email',
          type: 'email',
          value: sent,
          hint: 'We will email you a link. Open it to confirm the address.',
          required: true,
          autocomplete: 'email',
          maxLength: 254,
          errors,
        }),
        submit('Add address'),
      )}
    </section>`;
}

/**
 * Asks for the password before the primary address is changed, since a reader of its mail can take over the
 * account.
 */
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
      ownPassword('Current password', 'current_password', errors),
      html`<div class="actions">
        ${submit(`Make ${email} primary`)}<a class="button secondary" href="${EMAILS_PATH}">Cancel</a>
      </div>`,
    )}
  </div>`;

/** Page of an emailed link. Only its button confirms, because programs open links on their own. */
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
