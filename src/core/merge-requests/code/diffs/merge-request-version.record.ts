import { isoTimeSql } from '#kernel/database/time.sql.js';
import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { CommitRecord } from '#core/repositories/commits/commit.record.js';
import { DiffRecord } from '#core/repositories/commits/diff/diff.record.js';

/** A version of a merge request. */
export class MergeRequestVersionRecord {
  @Id()
  id!: number;

  @Text()
  head_commit_sha!: string;

  @Text({ nullable: true, description: 'The merge base' })
  base_commit_sha!: string | null;

  @Text({ description: 'Head of the target branch then' })
  start_commit_sha!: string;

  @IsoTime()
  created_at!: string;

  @Id()
  merge_request_id!: number;

  @Text({
    description: '`collected`, or `without_files` where the repository lacks its commits',
    example: 'collected',
  })
  state!: string;

  @Text({ description: 'Number of changed files', example: '1000+' })
  real_size!: string;
}

/** A version with its commits and changes. */
export class MergeRequestVersionDetailRecord extends MergeRequestVersionRecord {
  @ListOf(() => CommitRecord)
  commits!: CommitRecord[];

  @ListOf(() => DiffRecord)
  diffs!: DiffRecord[];
}

/** Select list of a `MergeRequestVersionRow`, of `v`. */
export const VERSION_COLUMNS = `v.id, v.merge_request_id, v.head_sha, v.base_sha, v.start_sha, v.changes_count,
  ${isoTimeSql('v.created_at')} as created_at,
  exists (select 1 from merge_requests m join kept_commits k on k.project_id = m.project_id and k.sha = v.head_sha and k.is_missing
    where m.id = v.merge_request_id) as is_lost`;

/** Row of a version. */
export interface MergeRequestVersionRow {
  readonly id: number;
  readonly merge_request_id: number;
  readonly head_sha: string;
  readonly base_sha: string | null;
  readonly start_sha: string;
  readonly changes_count: string | null;
  readonly created_at: string;
  /** Whether the commit was looked up, to be kept, and not found. */
  readonly is_lost: boolean;
}

/** Presents a version. */
export const presentVersion = (row: MergeRequestVersionRow): MergeRequestVersionRecord => ({
  id: row.id,
  head_commit_sha: row.head_sha,
  base_commit_sha: row.base_sha,
  start_commit_sha: row.start_sha,
  created_at: row.created_at,
  merge_request_id: row.merge_request_id,
  state: row.is_lost ? 'without_files' : 'collected',
  real_size: row.changes_count ?? '0',
});
