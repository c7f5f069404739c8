/** Tables that link labels to issuables. */
export type LabelLinkTable = 'issue_labels' | 'merge_request_labels' | 'epic_labels';

const linked = (table: LabelLinkTable, key: string, id: string): string =>
  `from ${table} lk join labels l on l.id = lk.label_id where lk.${key} = ${id}`;

/** By code points, independently of the collation of the database. */
const BY_TITLE = 'order by l.title collate "C", l.id';

/**
 * SQL expression: the names of an issuable's labels in order, as text[]: `labelNamesSql('issue_labels',
 * 'issue_id', 'i.id')`.
 */
export const labelNamesSql = (table: LabelLinkTable, key: string, id: string): string =>
  `array(select l.title ${linked(table, key, id)} ${BY_TITLE})`;

/**
 * SQL expression: the labels of an issuable in order, as JSON of `LabelDetailRow[]` for `presentLabelDetail`.
 */
export const labelDetailsSql = (table: LabelLinkTable, key: string, id: string): string =>
  `(select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.title, 'color', l.color, 'description', l.description) ${BY_TITLE}), '[]')
    ${linked(table, key, id)})`;
