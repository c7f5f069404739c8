import { html, type Html } from '#kernel/html/html.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { dsnOf } from '#features/error-tracking/settings/dsn.js';
import type { ClientKeyRow } from '#features/error-tracking/settings/client-key.record.js';
import { checkbox, field } from '../../forms/form-fields.view.js';
import { form, submit } from '../../forms/form.view.js';
import { pageLinks } from '../../layout/page-links.view.js';
import { errorsPath, settingsPath } from '../paths.js';

/** Parameters of the settings view. */
export interface TrackingSettingsView {
  readonly projectId: number;
  /** Whether error tracking is enabled. */
  readonly isTracking: boolean;
  readonly keys: readonly ClientKeyRow[];
  readonly list: ListPage;
  /** Base URL of the service. */
  readonly base: string;
  readonly csrfToken: string;
}

/** Renders the setting that enables error tracking, and the keys with which applications report errors. */
export function trackingSettings(view: TrackingSettingsView): Html {
  const { projectId, isTracking, keys, list, csrfToken } = view;
  const action = settingsPath(projectId);
  return html`${form(
      { action, method: 'put', csrfToken },
      checkbox({
        label: 'Accept errors',
        name: 'active',
        checked: isTracking,
        hint: 'Applications report them with an SDK, and they are kept for 90 days.',
      }),
      submit('Save'),
    )}
    <div class="heading">
      <h2>Keys</h2>
      ${form({ action: `${action}/keys`, csrfToken }, submit('Add key', { look: 'secondary', small: true }))}
    </div>
    <p class="muted">
      Give an application one of these as its DSN. To change a key, add a new one, give it to the application,
      and remove the old one.
    </p>
    ${keys.length === 0 ? html`<p class="card muted">No keys yet.</p>` : keys.map((key) => keyView(key, view))}
    ${pageLinks(action, list)}
    <p><a href="${errorsPath(projectId)}">All errors</a></p>`;
}

const keyView = ({ id, public_key: key }: ClientKeyRow, { projectId, base }: TrackingSettingsView): Html =>
  html`<section class="card" aria-labelledby="key-${id}">
    <h3 id="key-${id}">Key ${id}</h3>
    ${field({
      label: `DSN of key ${id}`,
      name: `dsn_${id}`,
      value: dsnOf(base, key, projectId),
      readonly: true,
      copy: `DSN of key ${id}`,
    })}
    <p><a href="${settingsPath(projectId)}/keys/${id}/delete">Remove key ${id}</a></p>
  </section>`;
