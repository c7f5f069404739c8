import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import {
  ChangeAlertIntegrationParams,
  CreateAlertIntegrationParams,
} from '#features/alerts/integrations/alert-integrations.params.js';
import type { AlertIntegrationRecord } from '#features/alerts/integrations/alert-integration.record.js';
import { INTEGRATION_TYPES, type IntegrationType } from '#features/alerts/integrations/integration-values.js';
import { bindForm } from '../forms/bind-form.js';

/** Path parameters of a project's integrations. */
export class ProjectPath {
  @Id()
  project_id!: number;
}

/** Path parameters of an integration. */
export class IntegrationPath extends ProjectPath {
  @Id()
  integration_id!: number;
}

/** Values of the integration form as entered. They are validated, and shown again if invalid. */
export class IntegrationForm extends ProjectPath {
  @Text({ optional: true })
  name = '';

  @OneOf(INTEGRATION_TYPES, { optional: true })
  type: IntegrationType = 'http';

  /** Browsers send nothing for an unchecked checkbox. */
  @Flag({ optional: true })
  active = false;

  @Flag({ optional: true })
  create_incident = false;

  @Flag({ optional: true })
  auto_close_incident = false;

  @Flag({ optional: true })
  send_email = false;

  @Text({ optional: true })
  external_url = '';

  @Text({ optional: true })
  token = '';
}

/** Form for editing an existing integration. */
export class ChangedIntegrationForm extends IntegrationForm {
  @Id()
  integration_id!: number;
}

/** Form that enables or disables an integration. */
export class SwitchForm extends IntegrationPath {
  @Flag()
  active!: boolean;
}

/** Limit of a test payload, in characters. Browsers send each line break as two. */
const MAX_PAYLOAD = 100_000;

/** Form of a test alert. */
export class TestForm extends IntegrationPath {
  @Text({ optional: true, maxLength: MAX_PAYLOAD })
  payload = '';
}

/** Values that people enter. */
export type IntegrationValues = Omit<IntegrationForm, 'project_id'>;

/** Empty form for a new integration. */
export const blankForm = (): IntegrationValues => ({
  name: '',
  type: 'http',
  active: true,
  create_incident: false,
  auto_close_incident: true,
  send_email: false,
  external_url: '',
  token: '',
});

/** Form filled with the values of an existing integration. */
export const formOf = (integration: AlertIntegrationRecord): IntegrationValues => ({
  name: integration.name,
  type: integration.type,
  active: integration.active,
  create_incident: integration.create_incident,
  auto_close_incident: integration.auto_close_incident,
  send_email: integration.send_email,
  external_url: integration.external_url ?? '',
  token: integration.type === 'external' ? (integration.token ?? '') : '',
});

/**
 * Only integrations with an external tool have a URL and key; for others they are dropped, even if the form
 * still contains them.
 */
const valuesOf = ({ external_url: url, token, ...values }: IntegrationValues): Record<string, unknown> =>
  values.type === 'external' ? { ...values, external_url: url, token } : { ...values };

/** Parameters for creating an integration from the form. @throws 400 by the rules of the API */
export const creationOf = (form: IntegrationValues): CreateAlertIntegrationParams =>
  bindForm(CreateAlertIntegrationParams, valuesOf(form));

/**
 * Parameters for changing an integration of the given type from the form. @throws 400 by the rules of the API
 */
export const changeOf = (form: IntegrationValues, type: IntegrationType): ChangeAlertIntegrationParams =>
  bindForm(ChangeAlertIntegrationParams, valuesOf({ ...form, type }));
