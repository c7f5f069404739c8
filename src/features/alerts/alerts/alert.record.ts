import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Anything, Count, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { EnvironmentBasicRecord } from '#core/environments/environment-basic.record.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';
import { ALERT_SEVERITIES, ALERT_STATUSES, type AlertSeverity, type AlertStatus } from '../alert-values.js';

/** An alert as users see and handle it (`decisions.md` 3). */
export class AlertRecord {
  @Id({ description: 'Number within the project' })
  iid!: number;

  @Text({ example: 'Disk of db-1 is nearly full' })
  title!: string;

  @Text({ nullable: true })
  description!: string | null;

  @OneOf(ALERT_SEVERITIES)
  severity!: AlertSeverity;

  @OneOf(ALERT_STATUSES)
  status!: AlertStatus;

  @Text({ nullable: true, description: 'Affected service' })
  service!: string | null;

  @Text({ nullable: true, example: 'Prometheus' })
  monitoring_tool!: string | null;

  @List(Text())
  hosts!: string[];

  @Nested(() => EnvironmentBasicRecord, { nullable: true })
  environment!: EnvironmentBasicRecord | null;

  @Text({ description: 'Hexadecimal SHA-1 of the values that identify equal payloads' })
  fingerprint!: string;

  @IsoTime()
  started_at!: string;

  @IsoTime({ nullable: true, description: 'Null unless it is resolved' })
  ended_at!: string | null;

  @Count({ description: 'How often its payload was received' })
  events!: number;

  @ListOf(() => UserBasicRecord)
  assignees!: UserBasicRecord[];

  @Text({ nullable: true })
  runbook!: string | null;

  @Text({ nullable: true, description: 'Metric query' })
  query!: string | null;

  @Text({ nullable: true })
  y_label!: string | null;

  @Text({ nullable: true, description: 'Markdown for the incident' })
  incident_markdown!: string | null;

  @Anything({
    nullable: true,
    description: 'Fields of the payload other than those above; null if the payload is null',
  })
  details!: unknown;

  @Id({ nullable: true, description: 'Number of its incident' })
  issue_iid!: number | null;

  @Anything({ nullable: true, description: 'As received; in lists, null if it has more than 16 KiB' })
  payload!: unknown;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;
}
