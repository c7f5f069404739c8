import { Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** Result of each alert in a payload, for its sender (`api-v4.md` 2.8). */
export class TakenAlertRecord {
  @Id({
    nullable: true,
    description: 'Number of the alert within its project; null for an item that could not be read',
  })
  iid!: number | null;

  @Text({ nullable: true, example: 'New: Alert' })
  title!: string | null;

  @Text({
    optional: true,
    description: 'Error of an item that could not be read; absent for all others',
  })
  error?: string;
}
