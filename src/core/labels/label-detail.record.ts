import { html } from '#kernel/html/html.js';
import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { textColorOn } from './label-colors.js';

/** A label as things that carry it show it (`planning.md` 5.1). */
export class LabelDetailRecord {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @Text({ example: '#FF0000' })
  color!: string;

  @Text({ nullable: true })
  description!: string | null;

  @Text({ nullable: true, description: 'The description as HTML: its text, escaped' })
  description_html!: string | null;

  @Text({ description: 'A colour in which text can be read on that of the label', example: '#FFFFFF' })
  text_color!: string;
}

/** What `labelDetailsSql` reads of a label. */
export type LabelDetailRow = Pick<LabelDetailRecord, 'id' | 'name' | 'color' | 'description'>;

/** The record of a label that hangs on something. */
export const presentLabelDetail = (row: LabelDetailRow): LabelDetailRecord => ({
  id: row.id,
  name: row.name,
  color: row.color,
  description: row.description,
  description_html: row.description === null ? null : html`${row.description}`.toString(),
  text_color: textColorOn(row.color),
});
