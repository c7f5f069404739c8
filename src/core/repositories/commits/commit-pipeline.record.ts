import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** The newest pipeline of a commit, as in CI lists. */
export class CommitPipelineRecord {
  @Id()
  id!: number;

  @Id({ description: 'Number within the project' })
  iid!: number;

  @Id()
  project_id!: number;

  @Text({ example: 'a91957a858320c0e17f3a0eca7cfacbff50ea29a' })
  sha!: string;

  @Text({ example: 'main' })
  ref!: string;

  @Text({ example: 'success' })
  status!: string;

  @Text({ example: 'push' })
  source!: string;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @Text()
  web_url!: string;

  @Text({ nullable: true })
  name!: string | null;
}

/** Row of a `CommitPipelineRecord`. */
export type CommitPipelineRow = Omit<CommitPipelineRecord, 'web_url'>;

/**
 * SQL for the newest pipeline of commit `$2` in project `$1`. The module of CI is above this one and cannot
 * be imported, but its tables may be read.
 */
export const NEWEST_PIPELINE = `select p.id, p.iid, p.project_id, p.sha, p.ref, p.status, p.source, p.name,
    ${isoTimeSql('p.created_at')} as created_at, ${isoTimeSql('p.updated_at')} as updated_at
  from ci_pipelines p where p.project_id = $1 and p.sha = $2 and p.parent_id is null
  order by p.project_id desc, p.sha desc, p.id desc limit 1`;

/** Presents a pipeline; `projectWeb`: page of the project, `Links.project(fullPath)`. */
export const presentCommitPipeline = (
  { name, ...row }: CommitPipelineRow,
  projectWeb: string,
): CommitPipelineRecord => ({ ...row, web_url: `${projectWeb}/-/pipelines/${row.id}`, name });
