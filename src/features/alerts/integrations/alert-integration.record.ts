import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { INTEGRATION_TYPES, type IntegrationType } from './integration-values.js';

/** A source of alerts of a project (`decisions.md`, alerts and errors). */
export class AlertIntegrationRecord {
  @Id()
  id!: number;

  @OneOf(INTEGRATION_TYPES)
  type!: IntegrationType;

  @Text({ example: 'Grafana' })
  name!: string;

  @Flag()
  active!: boolean;

  @Text()
  endpoint_identifier!: string;

  @Text({ nullable: true, description: 'Where payloads are sent to' })
  url!: string | null;

  @Text({
    nullable: true,
    description:
      'Key for the header Authorization, as a bearer token or as password; null for tokens that only read',
  })
  token!: string | null;

  @Flag({ description: 'An incident is opened for each alert' })
  create_incident!: boolean;

  @Flag({ description: 'The incident is closed when the alert is resolved' })
  auto_close_incident!: boolean;

  @Flag({ description: 'Maintainers get a mail when an alert is triggered or resolved' })
  send_email!: boolean;

  @Text({ nullable: true, description: 'URL at which the external incident tool receives alerts' })
  external_url!: string | null;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;
}
