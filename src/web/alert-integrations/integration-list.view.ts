import { html, type Html } from '#kernel/html/html.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import type { AlertIntegrationRow } from '#features/alerts/integrations/alert-integrations.queries.js';
import { dataTable } from '../layout/data-table.view.js';
import { form, submit } from '../forms/form.view.js';
import { pageLinks } from '../layout/page-links.view.js';
import { TYPE_WORDS } from './integration-texts.js';
import { integrationPath, integrationsPath } from './paths.js';

/** Badge that says whether an integration accepts alerts. */
export const stateBadge = ({ active }: Pick<AlertIntegrationRow, 'active'>): Html =>
  active ? html`<span class="badge good">Active</span>` : html`<span class="badge">Off</span>`;

/** Button that enables or disables an integration. */
export function switchForm(
  { id, projectId, name, active }: Pick<AlertIntegrationRow, 'id' | 'projectId' | 'name' | 'active'>,
  csrfToken: string,
  isSmall: boolean,
): Html {
  return form(
    { action: `${integrationPath(projectId, id)}/active`, method: 'put', csrfToken },
    html`<input type="hidden" name="active" value="${active ? '0' : '1'}" />`,
    submit(active ? 'Switch off' : 'Switch on', { look: 'secondary', small: isSmall, of: name }),
  );
}

/** Renders a project's integrations with links to each; actions that change them are for Maintainers. */
export function integrationList(
  projectId: number,
  rows: readonly AlertIntegrationRow[],
  list: ListPage,
  { mayManage, csrfToken }: { readonly mayManage: boolean; readonly csrfToken: string },
): Html {
  const path = integrationsPath(projectId);
  const cells = rows.map((row) => [
    html`<a href="${integrationPath(projectId, row.id)}">${row.name}</a>`,
    html`<span class="whole">${TYPE_WORDS[row.type][0]}</span>`,
    stateBadge(row),
    ...(mayManage ? [html`<div class="whole">${switchForm(row, csrfToken, true)}</div>`] : []),
  ]);
  const heads = ['Name', 'Kind', 'State', ...(mayManage ? ['Action'] : [])];
  const hasExternal = rows.some(({ type, active }) => type === 'external' && active);
  return html`<p>Monitoring tools send their alerts to the integrations of a project.</p>
    ${hasExternal && html`<div class="notice"><p>An external tool is active: it receives the alerts, and none are accepted here.</p></div>`}
    ${mayManage && html`<div class="actions"><a class="button" href="${path}/new">New integration</a></div>`}
    <h2>Present integrations</h2>
    ${dataTable('Where alerts come from', heads, cells, 'There are no integrations.')}
    ${pageLinks(path, list)}`;
}
