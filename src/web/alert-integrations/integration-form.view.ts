import { html, type Html } from '#kernel/html/html.js';
import { INTEGRATION_TYPES, type IntegrationType } from '#features/alerts/integrations/integration-values.js';
import { checkbox, field, fieldset, type FieldError } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';
import type { IntegrationValues } from './integration-form.js';
import { TYPE_WORDS } from './integration-texts.js';

/** Action of a form and label of its button. */
export interface FormTarget {
  readonly action: string;
  readonly method: 'post' | 'put';
  readonly button: string;
  readonly back: string;
  readonly csrfToken: string;
  /** The type of the integration; null while it can still be chosen. */
  readonly type: IntegrationType | null;
}

/** Renders the form of an integration. */
export function integrationForm(
  values: IntegrationValues,
  errors: readonly FieldError[],
  target: FormTarget,
): Html {
  return html`<div class="card">
    ${form(
      target,
      field({
        label: 'Name',
        name: 'name',
        value: values.name,
        hint: 'Such as the name of the tool that sends the alerts.',
        required: true,
        maxLength: 255,
        autocomplete: 'off',
        errors,
      }),
      target.type === null ? typeChoice(values, errors) : null,
      target.type === null || target.type === 'external' ? externalFields(values, errors) : null,
      fieldset('What happens', consequences(values)),
      html`<div class="actions">
        ${submit(target.button)}<a class="button secondary" href="${target.back}">Cancel</a>
      </div>`,
    )}
  </div>`;
}

const typeChoice = ({ type }: IntegrationValues, errors: readonly FieldError[]): Html =>
  fieldset(
    'Kind',
    INTEGRATION_TYPES.map((value) => {
      const [label, hint] = TYPE_WORDS[value];
      return checkbox({ type: 'radio', name: 'type', value, label, hint, checked: value === type });
    }),
    { name: 'type', errors },
  );

const externalFields = (values: IntegrationValues, errors: readonly FieldError[]): Html =>
  fieldset(
    'External incident tool',
    html`${field({
      label: 'Address of the tool',
      name: 'external_url',
      type: 'url',
      value: values.external_url,
      hint: 'With http or https.',
      inputmode: 'url',
      autocomplete: 'off',
      errors,
    })}${field({
      label: 'Key of the tool',
      name: 'token',
      value: values.token,
      autocomplete: 'off',
      errors,
    })}`,
  );

function consequences(values: IntegrationValues): Html {
  const boxes = [
    ['active', 'Active', 'Alerts are accepted.'],
    ['create_incident', 'Open an incident for each alert', null],
    ['auto_close_incident', 'Close the incident when the alert is resolved', null],
    ['send_email', 'Mail Maintainers', 'When an alert is triggered, and when it is resolved.'],
  ] as const;
  return html`${boxes.map(([name, label, hint]) => checkbox({ name, label, hint, checked: values[name] }))}`;
}
