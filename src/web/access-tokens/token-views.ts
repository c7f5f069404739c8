import { html, type Html } from '#kernel/html/html.js';
import type { Page } from '#kernel/http/paging/page.js';
import type { TokenRow } from '#core/tokens/tokens.queries.js';
import { daysFromToday } from '#core/tokens/expiry/token-dates.js';
import { dataTable } from '../layout/data-table.view.js';
import { field, type FieldError } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';
import { dayOf } from '../layout/moments.js';
import { pageLinks } from '../layout/page-links.view.js';
import { scopeChoice, scopeNames } from '../forms/scope-choice.view.js';
import { offeredScopes, type TokenForm } from './token-form.js';

/** Path of the token pages. */
export const TOKENS_PATH = '/-/profile/personal_access_tokens';

/** Notice at the top of the page with the secret of a new token. */
export const newTokenView = (name: string, token: string): Html =>
  html`<div class="notice good" role="status">
    <h2>Your new access token</h2>
    <p>Copy it now and keep it safe: it is not shown again.</p>
    ${field({ label: `Token “${name}”`, name: 'token', value: token, readonly: true, copy: 'the token', autocomplete: 'off' })}
  </div>`;

/** Renders the token form. `lastDay` is the latest allowed expiry date; null means no limit. */
export function tokenForm(
  values: TokenForm,
  errors: readonly FieldError[],
  { csrfToken, isAdmin, lastDay }: { csrfToken: string; isAdmin: boolean; lastDay: string | null },
): Html {
  const limit =
    lastDay === null
      ? 'Without a date it does not expire.'
      : `${lastDay} at the latest, even without a date.`;
  return html`<section class="card" aria-labelledby="new-token">
    <h2 id="new-token">Add a token</h2>
    ${form(
      { action: TOKENS_PATH, csrfToken },
      field({
        label: 'Name',
        name: 'name',
        value: values.name,
        hint: 'What the token is for.',
        required: true,
        autocomplete: 'off',
        maxLength: 255,
        errors,
      }),
      field({
        label: 'Expires at',
        name: 'expires_at',
        type: 'date',
        value: values.expires_at,
        hint: `The token stops working when this day begins (UTC). ${limit}`,
        min: daysFromToday(1),
        errors,
      }),
      scopeChoice(offeredScopes(isAdmin), values.scopes, errors),
      submit('Create token'),
    )}
  </section>`;
}

/** Renders the table of active tokens. */
export function tokenTable(rows: readonly TokenRow[], page: Page): Html {
  const cells = rows.map(({ id, name, scopes, createdAt, lastUsedAt, expiresAt }) => [
    name,
    scopeNames(scopes),
    dayOf(createdAt, ''),
    dayOf(lastUsedAt, 'Never'),
    dayOf(expiresAt, 'Never'),
    html`<a class="button danger small" href="${TOKENS_PATH}/${id}/revoke" aria-label="Revoke ${name}"
      >Revoke</a
    >`,
  ]);
  const heads = ['Name', 'Scopes', 'Created', 'Last used', 'Expires', 'Action'];
  return html`${dataTable('Active tokens', heads, cells, 'You have no active tokens.')}${pageLinks(TOKENS_PATH, page)}`;
}
