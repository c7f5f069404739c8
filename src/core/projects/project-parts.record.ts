import { Integer, IsoDate, Text } from '#kernel/http/fields.js';

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

  @Text()
  cluster_agents!: string;
}

/** A group that a project is shared with. */
export class SharedWithGroupRecord {
  @Integer()
  group_id!: number;

  @Text()
  group_name!: string;

  @Text()
  group_full_path!: string;

  @Integer()
  group_access_level!: number;

  @IsoDate({ nullable: true })
  expires_at!: string | null;
}

/** The project that another is a fork of. */
export class ForkSourceRecord {
  @Integer()
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
export class ProjectStatisticsRecord {
  @Integer()
  commit_count!: number;

  @Integer()
  storage_size!: number;

  @Integer()
  repository_size!: number;

  @Integer()
  wiki_size!: number;

  @Integer()
  lfs_objects_size!: number;

  @Integer()
  job_artifacts_size!: number;

  @Integer()
  pipeline_artifacts_size!: number;

  @Integer()
  packages_size!: number;

  @Integer()
  snippets_size!: number;

  @Integer()
  uploads_size!: number;
}
