import { Injectable } from '@nestjs/common';
import { containing } from '#kernel/database/like.sql.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { LIVE_COUNT_SQL } from '#core/iids/internal-ids.service.js';
import { ALERT_SEVERITIES, ALERT_STATUSES } from '../alert-values.js';
import { ALERT_COLUMNS, ALERT_FROM, LISTED_ALERT_COLUMNS, type AlertRow } from './alert.row.js';
import type { ListAlertsParams } from './alerts.params.js';

const SHAPE: ListShape = {
  kind: 'Alert',
  select: LISTED_ALERT_COLUMNS,
  from: ALERT_FROM,
  countFrom: 'alerts a',
  deepFrom: 'alerts a',
  key: 'a.iid',
  keyset: {
    id: { columns: [{ sql: 'a.iid', property: 'iid', type: 'bigint' }], directions: ['asc', 'desc'] },
  },
};

const ONE = `select ${ALERT_COLUMNS} from ${ALERT_FROM} where a.project_id = $1 and a.iid = $2`;
const ID = 'select id from alerts where project_id = $1 and iid = $2';

const FILTERS = ['status', 'severity', 'environment', 'assignee_id', 'assignee_username', 'search'] as const;
const SEARCHED = ['title', 'description', 'service', 'monitoring_tool'];

/** Reads alerts. Each filter by status, severity or environment has an index in the default order. */
@Injectable()
export class AlertsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the alerts of a project. */
  list(projectId: number, params: ListAlertsParams): ListQuery<AlertRow> {
    const query = new ListQuery<AlertRow>(SHAPE).fromReplica();
    // An environment belongs to one project: with a single condition the planner uses the environment's
    // index.
    if (params.environment)
      query.where(
        'a.environment_id = (select id from environments where project_id = ? and name = ?)',
        projectId,
        params.environment,
      );
    else query.where('a.project_id = ?', projectId);
    if (params.status) query.where('a.status = ?', ALERT_STATUSES.indexOf(params.status));
    if (params.severity) query.where('a.severity = ?', ALERT_SEVERITIES.indexOf(params.severity));
    filterByAssignee(query, params);
    if (params.search) {
      const condition = SEARCHED.map((column) => `a.${column} ilike ?`).join(' or ');
      query.where(`(${condition})`, ...SEARCHED.map(() => containing(params.search ?? ''))).long();
    }
    orderAlerts(query, params);
    const isFiltered = FILTERS.some((name) => Boolean(params[name]));
    return isFiltered ? query : query.totalWithRows(LIVE_COUNT_SQL, projectId, 'alerts');
  }

  /** Returns an alert with its complete payload, or null. */
  find(projectId: number, iid: number): Promise<AlertRow | null> {
    return this.database.one<AlertRow>(ONE, [projectId, iid]);
  }

  /** Returns the id of an alert, or null. */
  async idOf(projectId: number, iid: number): Promise<number | null> {
    return (await this.database.one<{ id: number }>(ID, [projectId, iid]))?.id ?? null;
  }
}

/** Starts from the alerts of the user: a subquery would be evaluated for each alert in list order. */
function filterByAssignee(query: ListQuery<AlertRow>, params: ListAlertsParams): void {
  const { assignee_id: assignee, assignee_username: username } = params;
  const assigned = 'exists (select 1 from alert_assignees fa where fa.alert_id = a.id)';
  const ofUser = (user: string): string =>
    `a.id = any(array(select fa.alert_id from alert_assignees fa where fa.user_id = ${user}))`;
  // If few alerts are assigned, many must be read.
  if (assignee === 'any') query.where(assigned).long();
  else if (assignee === 'none') query.where(`not ${assigned}`);
  else if (assignee !== undefined) query.where(ofUser('?'), assignee);
  if (username)
    query.where(ofUser('(select fu.id from users fu where lower(fu.username) = lower(?))'), username);
}

/** Numbers increase with creation times. The column numbers severities from the highest. */
function orderAlerts(
  query: ListQuery<AlertRow>,
  { order_by: order = 'started_at', sort = 'desc' }: ListAlertsParams,
): void {
  if (order === 'started_at') query.orderBy('a.started_at', sort);
  else if (order !== 'severity') query.orderBy('a.iid', sort);
  else if (sort === 'desc') query.orderByExpression('a.severity asc, a.started_at desc, a.iid desc');
  else query.orderByExpression('a.severity desc, a.started_at asc, a.iid asc');
}
