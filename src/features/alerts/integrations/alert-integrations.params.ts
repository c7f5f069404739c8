import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { INTEGRATION_TYPES, LEGACY_IDENTIFIERS, type IntegrationType } from './integration-values.js';

const MAX_NAME = 255;
const MAX_URL = 2048;
const MAX_TOKEN = 1024;

const EXTERNAL_URL = 'URL at which the external incident tool receives alerts; http or https';
const TOKEN = 'Key of the external incident tool; keys of all others are generated';
const INCIDENT = 'Open an incident for each alert';
const CLOSE = 'Close the incident when the alert is resolved';
const EMAIL = 'Mail Maintainers when an alert is triggered or resolved';

/** Parameters of a new integration. */
export class CreateAlertIntegrationParams {
  @Text({ maxLength: MAX_NAME, trim: true, example: 'Grafana' })
  name!: string;

  @OneOf(INTEGRATION_TYPES, { optional: true, description: 'Default: http' })
  type: IntegrationType = 'http';

  @Flag({ optional: true, description: 'Default: true' })
  active = true;

  @OneOf(Object.values(LEGACY_IDENTIFIERS), {
    optional: true,
    description: 'Only for the intake URL without an identifier; otherwise one is generated',
  })
  endpoint_identifier?: string;

  @Flag({ optional: true, description: INCIDENT })
  create_incident = false;

  @Flag({ optional: true, description: CLOSE })
  auto_close_incident = true;

  @Flag({ optional: true, description: EMAIL })
  send_email = false;

  @Text({ optional: true, nullable: true, trim: true, maxLength: MAX_URL, description: EXTERNAL_URL })
  external_url?: string | null;

  @Text({ optional: true, nullable: true, maxLength: MAX_TOKEN, description: TOKEN })
  token?: string | null;
}

/** Path parameters of an integration. */
export class AlertIntegrationPath {
  @Id()
  integration_id!: number;
}

/** Attributes of an integration that can be changed; type and identifier are fixed. */
export class ChangeAlertIntegrationParams {
  @Text({ optional: true, blank: false, maxLength: MAX_NAME, trim: true })
  name?: string;

  @Flag({ optional: true })
  active?: boolean;

  @Flag({ optional: true, description: INCIDENT })
  create_incident?: boolean;

  @Flag({ optional: true, description: CLOSE })
  auto_close_incident?: boolean;

  @Flag({ optional: true, description: EMAIL })
  send_email?: boolean;

  @Text({ optional: true, nullable: true, trim: true, maxLength: MAX_URL, description: EXTERNAL_URL })
  external_url?: string | null;

  @Text({ optional: true, nullable: true, maxLength: MAX_TOKEN, description: TOKEN })
  token?: string | null;
}

/** Parameters of an update of an integration. */
export class UpdateAlertIntegrationParams extends ChangeAlertIntegrationParams {
  @Id()
  integration_id!: number;
}
