import { html, type Html, type Interpolation } from '#kernel/html/html.js';
import type { AlertIntegrationRecord } from '#features/alerts/integrations/alert-integration.record.js';
import type { AlertIntegrationRow } from '#features/alerts/integrations/alert-integrations.queries.js';
import { field, type FieldError } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';
import { factList } from '../layout/fact-list.view.js';
import { dayOf } from '../layout/moments.js';
import { stateBadge, switchForm } from './integration-list.view.js';
import { TYPE_WORDS } from './integration-texts.js';
import { integrationPath, integrationsPath } from './paths.js';

/** An alert that a test created or matched, or the error for a part that could not be parsed as one. */
export interface TakenAlert {
  readonly iid: number | null;
  readonly title: string | null;
  readonly error?: string;
}

/** Data of the integration page. */
export interface IntegrationView {
  readonly row: AlertIntegrationRow;
  /** The record with URL and key; null for users who may not manage it. */
  readonly record: AlertIntegrationRecord | null;
  /** The test payload as last entered. */
  readonly payload: string;
  /** Whether a test can be sent at all. */
  readonly canTest: boolean;
  readonly errors: readonly FieldError[];
  /** The results of a test; null if none was sent. */
  readonly taken: readonly TakenAlert[] | null;
  readonly csrfToken: string;
}

/** Limit of alerts listed after a test. */
const MAX_SHOWN = 20;

const yesOrNo = (is: boolean): string => (is ? 'Yes' : 'No');

/** Renders an integration: its details, a test form, and for Maintainers its URL and key. */
export function integrationView(view: IntegrationView): Html {
  const { row, record, canTest, taken } = view;
  const facts: readonly (readonly [string, Interpolation])[] = [
    ['State', stateBadge(row)],
    ['Kind', TYPE_WORDS[row.type][0]],
    ['Opens incidents', yesOrNo(row.createIncident)],
    ['Closes them when alerts are resolved', yesOrNo(row.autoCloseIncident)],
    ['Mails Maintainers', yesOrNo(row.sendEmail)],
    ['Created', dayOf(row.createdAt, '')],
  ];
  return html`${taken && takenNotice(taken)}
    <div class="card">
      ${record && secrets(record)} ${factList(facts)} ${record && actions(view.row, view.csrfToken)}
    </div>
    ${canTest && testForm(view)}
    <p><a href="${integrationsPath(row.projectId)}">All integrations of the project</a></p>`;
}

const shown = (label: string, name: string, value: string, copy: string, hint?: string): Html =>
  field({ label, name, value, readonly: true, copy, autocomplete: 'off', ...(hint ? { hint } : {}) });

function secrets({ type, url, token }: AlertIntegrationRecord): Html {
  const keyHint =
    'As a bearer token in the header Authorization, or as the password with an empty user name.';
  return html`${url !== null && shown('URL', 'url', url, 'the URL')}
  ${token !== null && shown('Key', 'key', token, 'the key', type === 'external' ? undefined : keyHint)}`;
}

function actions(row: AlertIntegrationRow, csrfToken: string): Html {
  const base = integrationPath(row.projectId, row.id);
  return html`<div class="actions">
    <a class="button" href="${base}/edit">Edit</a>
    ${switchForm(row, csrfToken, false)}
    ${row.type !== 'external' && html`<a class="button secondary" href="${base}/reset">Reset key</a>`}
    <a class="button danger" href="${base}/delete" aria-label="Remove ${row.name}">Remove</a>
  </div>`;
}

const testForm = ({ row, payload, errors, csrfToken }: IntegrationView): Html =>
  html`<h2>Try it</h2>
    <div class="card">
      ${form(
        { action: `${integrationPath(row.projectId, row.id)}/test`, csrfToken },
        field({
          label: 'Payload',
          name: 'payload',
          type: 'textarea',
          rows: 14,
          value: payload,
          hint: 'JSON as the tool would send it. It is processed like any other alert.',
          required: true,
          autocomplete: 'off',
          errors,
        }),
        submit('Send test alert'),
      )}
    </div>`;

const takenText = ({ iid, title, error }: TakenAlert): string =>
  error === undefined ? `#${iid} ${title}` : `Not read: ${title ?? 'an alert without a title'} (${error})`;

const takenNotice = (taken: readonly TakenAlert[]): Html =>
  html`<div class="notice good" role="status">
    <h2>The test alert has been accepted</h2>
    <ul>
      ${taken.slice(0, MAX_SHOWN).map((one) => html`<li>${takenText(one)}</li>`)}
      ${taken.length > MAX_SHOWN && html`<li>and ${taken.length - MAX_SHOWN} more</li>`}
    </ul>
  </div>`;
