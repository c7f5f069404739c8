import { Count, Text } from '#kernel/http/fields/scalar-fields.js';
import { GroupStatisticsRecord } from '#core/groups/group.record.js';
import { ProjectBasicRecord } from './project-basic.record.js';

/** URLs of the parts of a project. */
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

  @Text({ nullable: true, description: 'Always null: not supported' })
  cluster_agents!: null;
}

/** The source of a fork. */
export class ForkSourceRecord extends ProjectBasicRecord {
  @Text()
  http_url_to_repo!: string;

  @Text()
  web_url!: string;
}

/** Storage use and number of commits of a project. */
export class ProjectStatisticsRecord extends GroupStatisticsRecord {
  @Count()
  commit_count!: number;
}
