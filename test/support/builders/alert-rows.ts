import { createHash } from 'node:crypto';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  type AlertSeverity,
  type AlertStatus,
} from '#features/alerts/alert-values.js';
import type { TestApi } from '../api.js';

/** Values that a test may set of an alert that it inserts. */
export interface AlertValues {
  readonly title?: string;
  readonly description?: string | null;
  readonly status?: AlertStatus;
  readonly severity?: AlertSeverity;
  readonly startedAt?: Date;
  readonly fingerprint?: string;
  /** Whether repetitions are grouped into it; true by default. */
  readonly grouped?: boolean;
  readonly integrationId?: number | null;
  readonly environmentId?: number | null;
  readonly service?: string | null;
  readonly payload?: unknown;
}

let inserted = 0;

const digest = (text: string): Buffer => createHash('sha1').update(text).digest();

/** Inserts an alert directly, as the intake would, and returns its number. */
export async function insertAlert(
  api: TestApi,
  projectId: number,
  values: AlertValues = {},
): Promise<number> {
  inserted += 1;
  const { status = 'triggered', severity = 'critical', grouped = true, title = `Alert ${inserted}` } = values;
  const [counter] = await api.sql<{ iid: number }>(
    `insert into internal_ids (project_id, usage, last_value, live_count) values ($1, 'alerts', 1, 1)
     on conflict (project_id, usage) do update set last_value = internal_ids.last_value + 1, live_count = internal_ids.live_count + 1
     returning last_value as iid`,
    [projectId],
  );
  const iid = counter?.iid ?? 0;
  const fingerprint = digest(values.fingerprint ?? title);
  await api.sql(
    `insert into alerts (project_id, iid, title, description, status, severity, started_at, ended_at, fingerprint, group_key, integration_id,
       environment_id, service, payload)
     values ($1, $2, $3, $4, $5::smallint, $6, $7, case when $5::smallint = 2 then now() end, $8, $9, $10, $11, $12, $13)`,
    [
      projectId,
      iid,
      title,
      values.description ?? null,
      ALERT_STATUSES.indexOf(status),
      ALERT_SEVERITIES.indexOf(severity),
      values.startedAt ?? new Date(),
      fingerprint,
      grouped ? fingerprint : null,
      values.integrationId ?? null,
      values.environmentId ?? null,
      values.service ?? null,
      JSON.stringify(values.payload ?? { title }),
    ],
  );
  return iid;
}

/** Inserts an integration directly, and returns its id. */
export async function insertIntegration(api: TestApi, projectId: number, active = true): Promise<number> {
  const [row] = await api.sql<{ id: number }>(
    `insert into alert_integrations (project_id, type, name, active, endpoint_identifier) values ($1, 'http', 'Tests', $2, $3) returning id`,
    [projectId, active, `e${(inserted += 1)}`],
  );
  return row?.id ?? 0;
}
