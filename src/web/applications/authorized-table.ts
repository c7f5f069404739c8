import { html, type Html } from '#kernel/html/html.js';
import { dataTable } from '../layout/data-table.view.js';
import { dayOf } from '../layout/moments.js';
import { scopeNames } from '../forms/scope-choice.view.js';
import type { AuthorizedApplication } from './authorized-applications.queries.js';

/** Path of the page on which users revoke the access of applications. */
export const AUTHORIZED_PATH = '/oauth/authorized_applications';

/** Renders the applications that may act for a user, each with a button to revoke access. */
export function authorizedTable(rows: readonly AuthorizedApplication[]): Html {
  const cells = rows.map(({ id, name, scopes, authorizedAt, lastUsedAt }) => [
    name,
    scopeNames(scopes),
    dayOf(authorizedAt, ''),
    dayOf(lastUsedAt, 'Never'),
    html`<a class="button danger small" href="${AUTHORIZED_PATH}/${id}" aria-label="Revoke ${name}"
      >Revoke</a
    >`,
  ]);
  const heads = ['Name', 'Scopes', 'Authorized', 'Last used', 'Action'];
  return dataTable(
    'Applications that may act for you',
    heads,
    cells,
    'You have not authorized any applications.',
  );
}
