import { isoTimeSql } from '#kernel/database/time.sql.js';

/** SQL pairs of the JSON of a milestone with the alias. */
export const milestonePairs = (alias: string): string =>
  `'id', ${alias}.id, 'iid', ${alias}.iid, 'title', ${alias}.title, 'description', ${alias}.description, 'project_id', ${alias}.project_id,
    'group_id', ${alias}.group_id, 'state', ${alias}.state, 'start_date', ${alias}.start_date, 'due_date', ${alias}.due_date,
    'created_at', ${isoTimeSql(`${alias}.created_at`)}, 'updated_at', ${isoTimeSql(`${alias}.updated_at`)}`;

/** SQL expression: the milestone of a column as JSON of the attribute `milestone`, or null. */
export const milestoneJson = (column: string): string =>
  `(select json_build_object(${milestonePairs('xm')}) from milestones xm where xm.id = ${column})`;
