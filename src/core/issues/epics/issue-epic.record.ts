import { Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** The epic in the record of an issue. */
export class IssueEpicRecord {
  @Id()
  id!: number;

  @Id({ description: 'Number within the group' })
  iid!: number;

  @Id()
  group_id!: number;

  @Text()
  title!: string;

  @Text({ example: '/groups/shop/-/epics/5' })
  url!: string;
}
