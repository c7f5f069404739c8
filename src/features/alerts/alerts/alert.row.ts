import { isoTimeSql } from '#kernel/database/time.sql.js';
import {
  ENVIRONMENT_BASIC_COLUMNS,
  presentEnvironmentBasic,
  type EnvironmentBasicRow,
} from '#core/environments/environment-basic.record.js';
import type { Links } from '#kernel/http/links.js';
import { peopleSql } from '#core/issuables/issuable-columns.sql.js';
import type { PeopleTable } from '#core/issuables/issuable-kind.js';
import { presentUserBasic, type UserBasicRow } from '#core/users/records/user-basic.record.js';
import { ALERT_SEVERITIES, ALERT_STATUSES } from '../alert-values.js';
import { alertDetails } from '../intake/formats/alert-details.js';
import type { AlertRecord } from './alert.record.js';

/** Table of the assignees of alerts. */
export const ALERT_ASSIGNEES: PeopleTable = { table: 'alert_assignees', key: 'alert_id' };

/** Row of an alert over `ALERT_FROM`. */
export interface AlertRow extends Partial<EnvironmentBasicRow> {
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
  readonly severity: number;
  readonly status: number;
  readonly service: string | null;
  readonly monitoring_tool: string | null;
  readonly hosts: string[];
  readonly fingerprint: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly events_count: number;
  readonly assignees: readonly UserBasicRow[];
  readonly runbook: string | null;
  readonly query: string | null;
  readonly y_label: string | null;
  readonly incident_markdown: string | null;
  readonly payload: unknown;
  readonly issue_iid: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * Alerts `a` with their environments `e`; `= any(array[...])` is an equality that cannot be hashed, so that
 * lists keep the order of their index.
 */
export const ALERT_FROM = 'alerts a left join environments e on e.id = any(array[a.environment_id])';

/**
 * A page of a hundred payloads of maximum size would be 100 MB. The stored size is known without
 * decompressing: a value stored above the limit is longer than it, and an uncompressed one has its stored
 * length.
 */
const SMALL_PAYLOAD = `case when pg_column_size(a.payload) > 16384 then null when pg_column_compression(a.payload) is null then a.payload
  when octet_length(a.payload::text) <= 16384 then a.payload end`;

const columns = (payload: string): string =>
  `a.iid, a.title, a.description, a.severity, a.status, a.service, a.monitoring_tool, a.hosts, encode(a.fingerprint, 'hex') as fingerprint,
  ${isoTimeSql('a.started_at')} as started_at, ${isoTimeSql('a.ended_at')} as ended_at, a.events_count,
  ${peopleSql(ALERT_ASSIGNEES, 'a.id')} as assignees, a.runbook, a.query, a.y_label, a.incident_markdown, ${payload} as payload,
  case when a.issue_id is not null then (select i.iid from issues i where i.id = a.issue_id) end as issue_iid,
  ${isoTimeSql('a.created_at')} as created_at, ${isoTimeSql('a.updated_at')} as updated_at, ${ENVIRONMENT_BASIC_COLUMNS}`;

/** Select list of an `AlertRow` in lists: without large payloads. */
export const LISTED_ALERT_COLUMNS = columns(SMALL_PAYLOAD);

/** Select list of a complete `AlertRow`. */
export const ALERT_COLUMNS = columns('a.payload');

const hasEnvironment = (row: AlertRow): row is AlertRow & EnvironmentBasicRow => typeof row.e_id === 'number';

/** Presents an alert. */
export const presentAlert = (row: AlertRow, links: Links): AlertRecord => ({
  iid: row.iid,
  title: row.title,
  description: row.description,
  severity: ALERT_SEVERITIES[row.severity] ?? 'unknown',
  status: ALERT_STATUSES[row.status] ?? 'triggered',
  service: row.service,
  monitoring_tool: row.monitoring_tool,
  hosts: row.hosts,
  environment: hasEnvironment(row) ? presentEnvironmentBasic(row) : null,
  fingerprint: row.fingerprint,
  started_at: row.started_at,
  ended_at: row.ended_at,
  events: row.events_count,
  assignees: row.assignees.map((user) => presentUserBasic(user, links)),
  runbook: row.runbook,
  query: row.query,
  y_label: row.y_label,
  incident_markdown: row.incident_markdown,
  details: row.payload === null ? null : alertDetails(row.payload),
  issue_iid: row.issue_iid,
  payload: row.payload,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
