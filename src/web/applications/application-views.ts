import { SCOPES } from '#kernel/access/roles.js';
import { html, type Html, type Interpolation } from '#kernel/html/html.js';
import type { Page } from '#kernel/http/paging/page.js';
import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import { checkbox, field, fieldset, type FieldError } from '../forms/form-fields.view.js';
import { dataTable } from '../layout/data-table.view.js';
import { form, submit } from '../forms/form.view.js';
import { dayOf } from '../layout/moments.js';
import { pageLinks } from '../layout/page-links.view.js';
import { scopeChoice, scopeNames } from '../forms/scope-choice.view.js';
import { factList } from '../layout/fact-list.view.js';
import type { ApplicationForm } from './application-form.js';
import type { ApplicationSection } from './application-section.js';

const lines = (texts: readonly string[]): Html =>
  html`${texts.map((text, index) => html`${index > 0 && html`<br />`}<code>${text}</code>`)}`;

const yesOrNo = (is: boolean): string => (is ? 'Yes' : 'No');

/** Renders the table of applications of a section. */
export function applicationTable(
  section: ApplicationSection,
  rows: readonly ApplicationRow[],
  page: Page,
): Html {
  const cells = rows.map(({ id, name, redirectUris, scopes, createdAt }) => [
    html`<a href="${section.path}/${id}">${name}</a>`,
    lines(redirectUris),
    scopeNames(scopes),
    dayOf(createdAt, ''),
  ]);
  const heads = ['Name', 'Redirect URIs', 'Scopes', 'Created'];
  const caption = section.isInstance ? 'Applications for everybody' : 'Applications that you registered';
  return html`${dataTable(caption, heads, cells, 'There are no applications.')}${pageLinks(section.path, page)}`;
}

/** Renders the application form; `target` is its action and the label of its button. */
export function applicationForm(
  section: ApplicationSection,
  values: ApplicationForm,
  errors: readonly FieldError[],
  target: { action: string; method: 'post' | 'put'; button: string; back: string; csrfToken: string },
): Html {
  return html`<div class="card">
    ${form(
      target,
      field({
        label: 'Name',
        name: 'name',
        value: values.name,
        required: true,
        maxLength: 255,
        autocomplete: 'off',
        errors,
      }),
      field({
        label: 'Redirect URIs',
        name: 'redirect_uri',
        type: 'textarea',
        value: values.redirect_uri,
        hint: 'One per line, exactly as the application sends them. Use https wherever you can.',
        required: true,
        autocomplete: 'off',
        errors,
      }),
      fieldset('Kind', kindChoices(section, values)),
      section.isInstance ? graceField(values, errors) : null,
      scopeChoice(SCOPES, values.scopes, errors),
      html`<div class="actions">
        ${submit(target.button)}<a class="button secondary" href="${target.back}">Cancel</a>
      </div>`,
    )}
  </div>`;
}

function kindChoices({ isInstance }: ApplicationSection, { confidential, trusted }: ApplicationForm): Html {
  const forSecrets = checkbox({
    label: 'Confidential',
    name: 'confidential',
    checked: confidential,
    hint: 'It runs on a server and keeps a secret. Programs on phones and desktops and in browsers cannot: they use PKCE instead.',
  });
  const forTrust = checkbox({
    label: 'Trusted',
    name: 'trusted',
    checked: trusted,
    hint: 'Users are not asked for their consent.',
  });
  return html`${forSecrets}${isInstance && forTrust}`;
}

const graceField = (values: ApplicationForm, errors: readonly FieldError[]): Html =>
  field({
    label: 'Grace window of refresh tokens, in seconds',
    name: 'refresh_grace_period_seconds',
    type: 'number',
    value: values.refresh_grace_period_seconds,
    hint: 'How long a refresh token that was just used is accepted once more. 0 is safest.',
    inputmode: 'numeric',
    min: 0,
    autocomplete: 'off',
    errors,
  });

/**
 * Renders an application with the details that its developer needs; `secret` only right after it was created.
 */
export function applicationView(
  section: ApplicationSection,
  application: ApplicationRow,
  secret: string | null,
): Html {
  const { id, uid, confidential, name } = application;
  const base = `${section.path}/${id}`;
  const facts: readonly (readonly [string, Interpolation])[] = [
    ['Redirect URIs', lines(application.redirectUris)],
    ['Scopes', scopeNames(application.scopes)],
    ['Confidential', yesOrNo(confidential)],
    ...(section.isInstance
      ? ([
          ['Trusted', yesOrNo(application.trusted)],
          ['Grace window of refresh tokens', `${application.refreshGracePeriodSeconds} seconds`],
        ] as const)
      : []),
    ['Created', dayOf(application.createdAt, '')],
  ];
  return html`${secret !== null && secretNotice(secret)}
    <div class="card">
      ${field({ label: 'Application ID', name: 'uid', value: uid, readonly: true, copy: 'the application ID', autocomplete: 'off' })}
      ${factList(facts)}
      ${confidential && secret === null && html`<p class="muted">The secret was shown when it was created. If it is lost, renew it.</p>`}
      <div class="actions">
        <a class="button" href="${base}/edit">Edit</a>
        ${confidential && html`<a class="button secondary" href="${base}/renew">Renew secret</a>`}
        <a class="button danger" href="${base}/delete" aria-label="Remove ${name}">Remove</a>
      </div>
    </div>
    <p><a href="${section.path}">All applications</a></p>`;
}

const secretNotice = (secret: string): Html =>
  html`<div class="notice good" role="status">
    <h2>The secret of the application</h2>
    <p>Copy it now and keep it safe: it is not shown again.</p>
    ${field({ label: 'Secret', name: 'secret', value: secret, readonly: true, copy: 'the secret', autocomplete: 'off' })}
  </div>`;
