import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { LabelLinkTable } from '../reach/label-columns.sql.js';

/** SQL pairs of the JSON of a label with the alias. */
export const labelPairs = (alias: string): string =>
  `'id', ${alias}.id, 'title', ${alias}.title, 'color', ${alias}.color, 'description', ${alias}.description, 'project_id', ${alias}.project_id,
    'group_id', ${alias}.group_id, 'type', case when ${alias}.group_id is null then 'ProjectLabel' else 'GroupLabel' end, 'template', false,
    'created_at', ${isoTimeSql(`${alias}.created_at`)}, 'updated_at', ${isoTimeSql(`${alias}.updated_at`)}`;

/**
 * SQL expression: the labels of an issuable as JSON of the attribute `label_links`: `labelLinksJson('Issue',
 * 'issue_labels', 'issue_id', 'i.id')`.
 */
export const labelLinksJson = (type: string, table: LabelLinkTable, key: string, id: string): string =>
  `(select coalesce(json_agg(json_build_object('target_type', '${type}', 'label_id', xl.id, 'label', json_build_object(${labelPairs('xl')}))
      order by xl.title collate "C", xl.id), '[]')
    from ${table} xk join labels xl on xl.id = xk.label_id where xk.${key} = ${id})`;
