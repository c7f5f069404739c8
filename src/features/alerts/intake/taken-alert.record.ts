import { Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** What the sender of a payload is told of each alert in it (`api-v4.md` 2.8). */
export class TakenAlertRecord {
  @Id({ description: 'Number of the alert within its project' })
  iid!: number;

  @Text({ example: 'New: Alert' })
  title!: string;
}
