import { isoTimeSql } from '#kernel/database/time.sql.js';
import { labelDetailsSql, labelNamesSql } from '#core/labels/reach/label-columns.sql.js';
import type { LabelDetailRow } from '#core/labels/label-detail.record.js';
import { milestoneSql } from '#core/milestones/milestone-columns.sql.js';
import type { MilestoneRow } from '#core/milestones/milestone.record.js';
import type { UserBasicRow, PrefixedUser } from '#core/users/records/user-basic.record.js';
import type { IssuableKind, PeopleTable } from './issuable-kind.js';
import type { TaskRow } from './task-completion.record.js';
import { userColumns, userJson } from '#core/users/records/user-basic.sql.js';

const USER_JSON = userJson('pu');

/** SQL expression: a user as a `UserBasicRow` in JSON, or null: `userSql('i.closed_by_id')`. */
export const userSql = (column: string): string =>
  `case when ${column} is not null then (select ${USER_JSON} from users pu where pu.id = ${column}) end`;

/** SQL expression: the users of an issuable in a table, as JSON of `UserBasicRow[]`. */
export const peopleSql = ({ table, key }: PeopleTable, id: string): string =>
  `(select coalesce(jsonb_agg(${USER_JSON} order by pu.id), '[]') from ${table} pk join users pu on pu.id = pk.user_id where pk.${key} = ${id})`;

/** Columns that rows of issues and merge requests share, as in `issuableColumns`. */
export interface IssuableRow extends TaskRow, PrefixedUser<'a_'> {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly full_path: string;
  readonly title: string;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly closed_by: UserBasicRow | null;
  readonly assignees: readonly UserBasicRow[];
  /** Names, or rows of `LabelDetailRecord`. */
  readonly labels: readonly (string | LabelDetailRow)[];
  readonly milestone: MilestoneRow | null;
  readonly discussion_locked: boolean | null;
  /** Read by `userNotesCount`, because it depends on the reader. */
  readonly user_notes_count: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly time_estimate: number;
  readonly total_time_spent: number;
}

/**
 * Joins the author of this alias as `a`. `= any(array[...])` is an equality that cannot be hashed, so that
 * lists keep the order of their index.
 */
export const authorJoin = (alias: string): string =>
  `left join users a on a.id = any(array[${alias}.author_id])`;

/** Select list of the author. */
export const AUTHOR_COLUMNS = userColumns('a', 'a_');

/** SQL expression: the labels of a row of the kind, by name or with details. */
export const labelsSql = ({ labels: { table, key }, alias }: IssuableKind, withDetails: boolean): string =>
  (withDetails ? labelDetailsSql : labelNamesSql)(table, key, `${alias}.id`);

/** Tables of `issuableColumns`: the issuable, its project `p` and its author `a`. */
export const issuableFrom = ({ table, alias }: IssuableKind): string =>
  `${table} ${alias} join projects p on p.id = any(array[${alias}.project_id]) ${authorJoin(alias)}`;

/** Tables of the same columns for rows that are found before sorting, for which any join will do. */
export const fewIssuablesFrom = ({ table, alias }: IssuableKind): string =>
  `${table} ${alias} join projects p on p.id = ${alias}.project_id ${authorJoin(alias)}`;

/** Select list of an `IssuableRow` without the columns that depend on the reader, over `issuableFrom`. */
export function issuableColumns(kind: IssuableKind, withLabelDetails = false): string {
  const { alias: t, assignees } = kind;
  return `${t}.id, ${t}.iid, ${t}.project_id, p.full_path, ${t}.title, ${t}.description, ${isoTimeSql(`${t}.created_at`)} as created_at,
    ${isoTimeSql(`${t}.updated_at`)} as updated_at, ${isoTimeSql(`${t}.closed_at`)} as closed_at, ${userSql(`${t}.closed_by_id`)} as closed_by,
    ${AUTHOR_COLUMNS}, ${assignees ? peopleSql(assignees, `${t}.id`) : `'[]'::jsonb`} as assignees, ${labelsSql(kind, withLabelDetails)} as labels,
    case when ${t}.milestone_id is not null then ${milestoneSql(`${t}.milestone_id`)} end as milestone, ${t}.discussion_locked,
    ${t}.upvotes, ${t}.downvotes, ${t}.time_estimate, ${t}.total_time_spent, ${t}.task_count, ${t}.completed_task_count`;
}
