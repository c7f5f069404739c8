import { runPrepared, runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { nextIidsSql } from '#core/iids/internal-ids.service.js';
import { ALERT_SEVERITIES, ALERT_STATUSES, type AlertStatus } from '../../alert-values.js';
import type { NewAlert, PlannedAlert } from './alert-plan.js';

/**
 * The document is read as rows: arrays of columns would need each payload escaped again. Names are resolved
 * only within the project. Assigns numbers without gaps for all projects at once: the first alert of a
 * project follows its counter. `wanted`: source of projects with their number of alerts.
 */
export const insertSql = (
  wanted: string,
): string => `with taken as (${nextIidsSql(`'alerts'`, `${wanted} as k`)})
  insert into alerts (id, project_id, iid, integration_id, title, description, service, monitoring_tool, hosts, severity, status, fingerprint,
    group_key, stray, started_at, ended_at, events_count, environment_id, runbook, query, y_label, incident_markdown, payload)
  select coalesce(x.id, nextval('alerts_id_seq')), x.project_id, taken.last_value - x.behind, (select i.id from alert_integrations i where i.id = x.integration_id), x.title, x.description, x.service,
    x.monitoring_tool, x.hosts, x.severity, x.status, decode(x.fingerprint, 'hex'), case when x.grouped then decode(x.fingerprint, 'hex') end, x.stray,
    x.started_at, x.ended_at, x.events, (select e.id from environments e where e.project_id = x.project_id and e.name = x.environment),
    x.runbook, x.query, x.y_label, x.incident_markdown, x.payload
  from json_to_recordset($1::json) as x(id bigint, project_id bigint, behind bigint, integration_id bigint, title text, description text, service text,
    monitoring_tool text, hosts text[], severity smallint, status smallint, fingerprint text, grouped boolean, stray boolean, started_at timestamptz,
    ended_at timestamptz, events integer, environment text, runbook text, query text, y_label text, incident_markdown text, payload json)
  join taken on taken.project_id = x.project_id order by x.project_id, x.behind desc
  returning id, iid`;

const INSERT = insertSql(
  `(select project_id, wanted from json_to_recordset($2::json) as j(project_id bigint, wanted bigint))`,
);

/** Alerts that a user resolved in the meantime are not changed. */
const UPDATE = {
  name: 'alerts_update',
  text: `update alerts a set events_count = a.events_count + x.events, updated_at = now(),
    status = case when x.ended_at is null then a.status else 2 end, ended_at = x.ended_at
  from unnest($1::bigint[], $2::integer[], $3::timestamptz[]) as x(id, events, ended_at)
  where a.id = x.id and a.status <> 2
  returning a.id, a.status`,
};

/** A new alert with its id. */
export interface NumberedAlert {
  readonly planned: NewAlert;
  readonly id: number;
}

/**
 * Numbers and inserts alerts in one round trip with the next statement of `tx`; those of a project are
 * numbered in the given order. The returned function gives the numbers by id.
 */
export async function insertAlerts(
  tx: Tx,
  alerts: readonly NumberedAlert[],
): Promise<() => Promise<ReadonlyMap<number, number>>> {
  if (alerts.length === 0) return () => Promise.resolve(new Map());
  const left = new Map<number, number>();
  for (const { planned } of alerts) {
    const { projectId } = planned.source;
    left.set(projectId, (left.get(projectId) ?? 0) + 1);
  }
  const counts = JSON.stringify([...left].map(([projectId, wanted]) => ({ project_id: projectId, wanted })));
  const documents = alerts.map((alert) => {
    const { projectId } = alert.planned.source;
    const behind = (left.get(projectId) as number) - 1;
    left.set(projectId, behind);
    return documentOf(alert, behind);
  });
  const rows = await runWithNext<{ id: number; iid: number }>(tx, INSERT, [
    `[${documents.join(',')}]`,
    counts,
  ]);
  return async () => new Map((await rows()).map(({ id, iid }) => [id, iid]));
}

/**
 * Writes changes of existing alerts in one statement; returns their states, without those that are no longer
 * open.
 */
export async function updateAlerts(
  tx: Tx,
  changed: readonly PlannedAlert[],
): Promise<ReadonlyMap<number, AlertStatus>> {
  const rows = await runPrepared<{ id: number; status: number }>(tx, UPDATE, [
    changed.map(({ stored }) => stored?.id),
    changed.map(({ events }) => events),
    changed.map(({ endedAt }) => endedAt),
  ]);
  return new Map(rows.map(({ id, status }) => [id, ALERT_STATUSES[status] ?? 'triggered']));
}

/**
 * Returns a row as JSON, with its id if drawn, and the number of later ones of its project; the payload is
 * already JSON.
 */
export function documentOf(
  { planned, id }: { readonly planned: NewAlert; readonly id: number | null },
  behind: number,
): string {
  const { source, grouped, stray, startedAt, endedAt, status, events } = planned;
  const { payload, ...alert } = source.alert;
  const row = {
    id,
    project_id: source.projectId,
    behind,
    integration_id: source.integrationId,
    title: alert.title,
    description: alert.description,
    service: alert.service,
    monitoring_tool: alert.monitoringTool,
    hosts: alert.hosts,
    severity: ALERT_SEVERITIES.indexOf(alert.severity),
    status: ALERT_STATUSES.indexOf(status),
    fingerprint: alert.fingerprint,
    grouped,
    stray,
    started_at: startedAt,
    ended_at: endedAt,
    events,
    environment: alert.environment,
    runbook: alert.runbook,
    query: alert.query,
    y_label: alert.yLabel,
    incident_markdown: alert.incidentMarkdown,
  };
  return `${JSON.stringify(row).slice(0, -1)},"payload":${payload}}`;
}
