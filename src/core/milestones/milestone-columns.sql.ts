import { isoTimeSql, UTC_TODAY } from '#kernel/database/time.sql.js';

/** Columns of a `MilestoneRow` with their expressions, over `MILESTONE_FROM`. */
const COLUMNS: Readonly<Record<string, string>> = {
  id: 'ms.id',
  iid: 'ms.iid',
  project_id: 'ms.project_id',
  group_id: 'ms.group_id',
  title: 'ms.title',
  description: 'ms.description',
  state: 'ms.state',
  created_at: isoTimeSql('ms.created_at'),
  updated_at: isoTimeSql('ms.updated_at'),
  due_date: 'ms.due_date',
  start_date: 'ms.start_date',
  expired: `coalesce(ms.due_date < ${UTC_TODAY}, false)`,
  // A milestone has one of both; joins would look up both.
  full_path: `case when ms.project_id is not null then (select mp.full_path from projects mp where mp.id = ms.project_id)
    else (select mg.full_path from namespaces mg where mg.id = ms.group_id) end`,
};

/** Select list of a `MilestoneRow`. */
export const MILESTONE_COLUMNS = Object.entries(COLUMNS)
  .map(([name, sql]) => `${sql} as ${name}`)
  .join(', ');

/** Tables of these columns. */
export const MILESTONE_FROM = 'milestones ms';

const JSON_PAIRS = Object.entries(COLUMNS)
  .map(([name, sql]) => `'${name}', ${sql}`)
  .join(', ');

/**
 * SQL expression: the milestone of a column as JSON of a `MilestoneRow`, or null:
 * `milestoneSql('i.milestone_id')`.
 */
export const milestoneSql = (column: string): string =>
  `(select jsonb_build_object(${JSON_PAIRS}) from ${MILESTONE_FROM} where ms.id = ${column})`;
