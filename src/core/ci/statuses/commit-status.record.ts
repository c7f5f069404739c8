import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Decimal, Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import { presentUserIn, UserBasicRecord, type PrefixedUser } from '#core/users/records/user-basic.record.js';
import { CI_STATUSES, type CiStatus } from '../jobs/job-status.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

/** A status of a commit, from outside or of a job (`ci.md` 5.4). */
export class CommitStatusRecord {
  @Id()
  id!: number;

  @Text()
  sha!: string;

  @Text()
  ref!: string;

  @OneOf(CI_STATUSES)
  status!: CiStatus;

  @Text({ example: 'default' })
  name!: string;

  @Text({ nullable: true })
  target_url!: string | null;

  @Text({ nullable: true })
  description!: string | null;

  @IsoTime()
  created_at!: string;

  @IsoTime({ nullable: true })
  started_at!: string | null;

  @IsoTime({ nullable: true })
  finished_at!: string | null;

  @Flag()
  allow_failure!: boolean;

  @Decimal({ nullable: true })
  coverage!: number | null;

  @Id()
  pipeline_id!: number;

  @Nested(() => UserBasicRecord, { nullable: true })
  author!: UserBasicRecord | null;
}

/** Row of a `CommitStatusRecord`. */
export type CommitStatusRow = Omit<CommitStatusRecord, 'author'> & PrefixedUser<'u_'>;

/** Select list of a `CommitStatusRow`, for a job `j` of the pipeline `p` by the user `u`. */
export const COMMIT_STATUS_COLUMNS = `j.id, p.sha, j.ref, j.status, j.name, j.target_url, j.description,
  ${isoTimeSql('j.created_at')} as created_at, ${isoTimeSql('j.started_at')} as started_at,
  ${isoTimeSql('j.finished_at')} as finished_at, j.allow_failure, j.coverage, j.pipeline_id,
  ${userColumns('u', 'u_')}`;

/** Joins of the pipeline and the user of a job `j`. */
export const COMMIT_STATUS_JOINS =
  'join ci_pipelines p on p.id = j.pipeline_id left join users u on u.id = j.user_id';

/** Tables of `COMMIT_STATUS_COLUMNS`. */
export const COMMIT_STATUS_FROM = `ci_jobs j ${COMMIT_STATUS_JOINS}`;

/** Finds a status by its id. */
export const FIND_COMMIT_STATUS = `select ${COMMIT_STATUS_COLUMNS} from ${COMMIT_STATUS_FROM} where j.id = $1`;

/** Presents the status of a row. */
export function presentCommitStatus(row: CommitStatusRow, links: Links): CommitStatusRecord {
  const { u_id, u_username, u_name, u_state, u_avatar, ...rest } = row;
  const user = { u_id, u_username, u_name, u_state, u_avatar };
  return { ...rest, author: presentUserIn(user, 'u_', links) };
}
