/** Tables that hang labels on things. */
export type LabelLinkTable = 'issue_labels' | 'merge_request_labels' | 'epic_labels';

const linked = (table: LabelLinkTable, key: string, id: string): string =>
  `from ${table} lk join labels l on l.id = lk.label_id where lk.${key} = ${id}`;

/** By their characters, whatever the language of the database is. */
const BY_TITLE = 'order by l.title collate "C", l.id';

/** Scalar expression: the names of a thing's labels in their order, as text[]: `labelNamesSql('issue_labels', 'issue_id', 'i.id')`. */
export const labelNamesSql = (table: LabelLinkTable, key: string, id: string): string =>
  `array(select l.title ${linked(table, key, id)} ${BY_TITLE})`;

/** Scalar expression: the labels of a thing in their order, as JSON of `LabelDetailRow[]` for `presentLabelDetail`. */
export const labelDetailsSql = (table: LabelLinkTable, key: string, id: string): string =>
  `(select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.title, 'color', l.color, 'description', l.description) ${BY_TITLE}), '[]')
    ${linked(table, key, id)})`;
