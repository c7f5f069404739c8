import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import {
  ChangeAlertIntegrationParams,
  CreateAlertIntegrationParams,
} from '#features/alerts/integrations/alert-integrations.params.js';
import type { AlertIntegrationRecord } from '#features/alerts/integrations/alert-integration.record.js';
import { INTEGRATION_TYPES, type IntegrationType } from '#features/alerts/integrations/integration-values.js';
import { bindForm } from '../forms/bind-form.js';

/** The project whose integrations a page shows. */
export class ProjectPath {
  @Id()
  project_id!: number;
}

/** One of its integrations. */
export class IntegrationPath extends ProjectPath {
  @Id()
  integration_id!: number;
}

/** What the form of an integration sends, as it was written: to be checked, and shown again where it is wrong. */
export class IntegrationForm extends ProjectPath {
  @Text({ optional: true })
  name = '';

  @OneOf(INTEGRATION_TYPES, { optional: true })
  type: IntegrationType = 'http';

  /** Browsers send nothing for a box that is not ticked. */
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

/** The form of an integration that is there. */
export class ChangedIntegrationForm extends IntegrationForm {
  @Id()
  integration_id!: number;
}

/** Switches one on or off. */
export class SwitchForm extends IntegrationPath {
  @Flag()
  active!: boolean;
}

/** Longest payload of a test, in characters; browsers send each line end as two. */
const MAX_PAYLOAD = 100_000;

/** A test alert. */
export class TestForm extends IntegrationPath {
  @Text({ optional: true, maxLength: MAX_PAYLOAD })
  payload = '';
}

/** What people enter. */
export type IntegrationValues = Omit<IntegrationForm, 'project_id'>;

/** The form of an integration that is yet to be. */
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

/** The form of an integration as it is. */
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

/** Address and key belong to tools outside; others are sent none, whatever the form has kept. */
const valuesOf = ({ external_url: url, token, ...values }: IntegrationValues): Record<string, unknown> =>
  values.type === 'external' ? { ...values, external_url: url, token } : { ...values };

/** A new integration as a form says it. @throws 400 by the rules of the API */
export const creationOf = (form: IntegrationValues): CreateAlertIntegrationParams =>
  bindForm(CreateAlertIntegrationParams, valuesOf(form));

/** Changes of an integration of that type as a form says them. @throws 400 by the rules of the API */
export const changeOf = (form: IntegrationValues, type: IntegrationType): ChangeAlertIntegrationParams =>
  bindForm(ChangeAlertIntegrationParams, valuesOf({ ...form, type }));
