import { Count, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { GroupStatisticsRecord } from '#core/groups/group.record.js';

/** Where the parts of a project are found. */
export class ProjectLinksRecord {
  @Text()
  self!: string;

  @Text({ optional: true })
  issues?: string;

  @Text({ optional: true })
  merge_requests?: string;

  @Text()
  repo_branches!: string;

  @Text()
  labels!: string;

  @Text()
  events!: string;

  @Text()
  members!: string;

  @Text({ nullable: true, description: 'Always null: there are none' })
  cluster_agents!: null;
}

/** The project that another is a fork of. */
export class ForkSourceRecord {
  @Id()
  id!: number;

  @Text({ nullable: true })
  description!: string | null;

  @Text()
  name!: string;

  @Text()
  name_with_namespace!: string;

  @Text()
  path!: string;

  @Text()
  path_with_namespace!: string;

  @Text()
  http_url_to_repo!: string;

  @Text()
  web_url!: string;
}

/** Bytes that a project uses, and its commits. */
export class ProjectStatisticsRecord extends GroupStatisticsRecord {
  @Count()
  commit_count!: number;
}
