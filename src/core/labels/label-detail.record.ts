import { html } from '#kernel/html/html.js';
import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { textColorOn } from './label-colors.js';

/** A label in records of labeled objects (`planning.md` 5.1). */
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

  @Text({ description: 'A color in which text is readable on the color of the label', example: '#FFFFFF' })
  text_color!: string;
}

/** Row of `labelDetailsSql`. */
export type LabelDetailRow = Pick<LabelDetailRecord, 'id' | 'name' | 'color' | 'description'>;

/** Presents a label of an object. */
export const presentLabelDetail = (row: LabelDetailRow): LabelDetailRecord => ({
  id: row.id,
  name: row.name,
  color: row.color,
  description: row.description,
  description_html: row.description === null ? null : html`${row.description}`.toString(),
  text_color: textColorOn(row.color),
});
