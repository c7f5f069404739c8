import type { AskedStatement } from '#kernel/database/statements/prepared.js';
import { ALERT_STATUSES } from '../../alert-values.js';
import type { SourcedAlert, StoredAlert } from './alert-plan.js';

/**
 * On the free plan, any number of alerts may be open with one fingerprint: a resolution ends this many,
 * newest first.
 */
const MOST_OPEN = 1_000;

const COLUMNS =
  'a.id, a.iid, a.title, a.status, a.group_key is not null as grouped, a.stray, a.started_at, a.ended_at';

// Keys are passed as JSON: for arrays of different lengths the planner would create different plans.
const OPEN = {
  name: 'alerts_open',
  text: `select k.project_id, k.fingerprint, a.*
  from json_to_recordset($1::json) as k(project_id bigint, fingerprint text)
  cross join lateral (select ${COLUMNS} from alerts a
    where a.project_id = k.project_id and a.fingerprint = decode(k.fingerprint, 'hex') and a.status <> 2
    order by a.id desc limit ${MOST_OPEN}) a
  order by a.id`,
};

/** The conditions of `isSameResolution`; finds at most one alert per item. */
const RESOLVED = {
  name: 'alerts_resolved',
  text: `select k.project_id, k.fingerprint, a.*
  from json_to_recordset($1::json) as k(project_id bigint, fingerprint text, started_at timestamptz, ended_at timestamptz)
  cross join lateral (select ${COLUMNS} from alerts a
    where a.project_id = k.project_id and a.fingerprint = decode(k.fingerprint, 'hex') and a.status = 2
      and a.ended_at between coalesce(k.ended_at, '-infinity') and coalesce(k.ended_at, 'infinity')
      and (k.started_at is null or a.started_at = k.started_at or (k.ended_at is not null and not a.stray))
    order by a.ended_at desc, a.id desc limit 1) a
  order by a.id`,
};

interface Row {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly fingerprint: string;
  readonly title: string;
  readonly status: number;
  readonly grouped: boolean;
  readonly stray: boolean;
  readonly started_at: Date;
  readonly ended_at: Date | null;
}

/**
 * Returns the statements that read stored alerts for incoming ones, at most two. Without `grouping`, firing
 * alerts need none.
 */
export function askKnownAlerts(items: readonly SourcedAlert[], grouping: boolean): AskedStatement[] {
  const ending = items.filter(({ alert }) => alert.ended !== null);
  const wanted = distinct(grouping ? items : ending);
  return [
    ...(wanted.length > 0 ? [[OPEN, [JSON.stringify(wanted.map(keyOf))]] as const] : []),
    ...(ending.length > 0 ? [[RESOLVED, [JSON.stringify(ending.map(resolutionOf))]] as const] : []),
  ];
}

/** Returns the alerts that these statements found, by increasing id. */
export function knownAlerts(answers: readonly object[][]): readonly StoredAlert[] {
  // Several items may match one resolution.
  const byId = new Map((answers.flat() as Row[]).map((row) => [row.id, stored(row)]));
  return [...byId.values()];
}

const distinct = (items: readonly SourcedAlert[]): readonly SourcedAlert[] => [
  ...new Map(items.map((item) => [`${item.projectId} ${item.alert.fingerprint}`, item])).values(),
];

const keyOf = ({ projectId, alert }: SourcedAlert): object => ({
  project_id: projectId,
  fingerprint: alert.fingerprint,
});

const resolutionOf = (item: SourcedAlert): object => ({
  ...keyOf(item),
  started_at: item.alert.startedAt,
  ended_at: item.alert.ended?.at ?? null,
});

const stored = (row: Row): StoredAlert => ({
  id: row.id,
  iid: row.iid,
  projectId: row.project_id,
  fingerprint: row.fingerprint,
  title: row.title,
  status: ALERT_STATUSES[row.status] ?? 'triggered',
  grouped: row.grouped,
  stray: row.stray,
  startedAt: row.started_at,
  endedAt: row.ended_at,
});
