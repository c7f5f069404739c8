import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { isOfMergeRequestRefSql } from '#core/ci/pipelines/merge-request-ref.sql.js';
import { ExpireProjectArtifactsJob } from './expire-project-artifacts.job.js';
import { RemoveExpiredArtifactsJob } from './remove-expired-artifacts.job.js';

const BATCH = 500;

/**
 * SQL condition: the pipeline, or its topmost ancestor, is the latest success of its ref. Pipelines that no
 * longer keep their latest artifacts (a removed ref, or a setting of the project or instance) are not locked.
 */
const stays = (pipeline: string): string => `(${pipeline}.locked and exists (
    with recursive line as (
      select id, parent_id, project_id, ref, tag, merge_request_id, status from ci_pipelines where id = ${pipeline}.id
      union all select up.id, up.parent_id, up.project_id, up.ref, up.tag, up.merge_request_id, up.status from line join ci_pipelines up on up.id = line.parent_id)
    select 1 from line where line.parent_id is null and line.status = 'success' and not exists (
      select 1 from ci_pipelines later where later.project_id = line.project_id and later.ref = line.ref and later.tag = line.tag
        and ${isOfMergeRequestRefSql('later')} = ${isOfMergeRequestRefSql('line')}
        and later.status = 'success' and later.parent_id is null and later.id > line.id)))`;

/** All artifacts except traces and kept ones. Only those of the latest successful pipelines are kept. */
const NEXT = `select a.id, a.job_id, p.id as pipeline_id from ci_job_artifacts a
  join ci_jobs j on j.id = a.job_id join ci_pipelines p on p.id = j.pipeline_id
  where a.project_id = $1 and a.id > $2 and a.file_type <> 'trace' and not a.kept
    and (a.locked or a.expire_at is null or a.expire_at > now()) and not ${stays('p')}
  order by a.id limit ${BATCH}`;

/** Locks pipelines before their jobs, with their ancestors: until commit, none of them can become the latest success. */
const LOCK_PIPELINES = `with recursive line as (
    select id, parent_id from ci_pipelines where id = any($1)
    union select up.id, up.parent_id from line join ci_pipelines up on up.id = line.parent_id)
  select id from ci_pipelines where id in (select id from line) order by id for share`;

/** Locks jobs before their artifacts, as a request to keep artifacts does. */
const LOCK_JOBS = 'select id from ci_jobs where id = any($1) order by id for no key update';

/** Selects the artifacts again under all locks: they may now be kept, or the pipeline may now have succeeded. */
const GOING = `select a.id, a.job_id from ci_job_artifacts a join ci_jobs j on j.id = a.job_id join ci_pipelines p on p.id = j.pipeline_id
  where a.id = any($1) and not a.kept and not ${stays('p')} order by a.id for no key update of a`;

const SHOW = 'update ci_jobs set artifacts_expire_at = now() where id = any($1)';

const EXPIRE =
  'update ci_job_artifacts set expire_at = now(), locked = false, updated_at = now() where id = any($1)';

interface Candidate {
  readonly id: number;
  readonly job_id: number;
  readonly pipeline_id: number;
}

/** Processes a project in batches; expired artifacts are then removed as usual. */
@Injectable()
export class ExpireProjectArtifactsProcessor extends JobProcessor<{ readonly projectId: number }> {
  readonly job = ExpireProjectArtifactsJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async process({ projectId }: { readonly projectId: number }, { signal }: JobContext): Promise<void> {
    for (let last: number | undefined = 0; last !== undefined;) {
      signal.throwIfAborted();
      last = await this.expireSome(projectId, last);
    }
    await this.transactions.run((tx) => this.jobs.enqueue(tx, RemoveExpiredArtifactsJob, {}));
  }

  /** Returns the last artifact of the batch, or undefined if none was left. */
  private expireSome(projectId: number, after: number): Promise<number | undefined> {
    return this.transactions.run(async (tx) => {
      const rows = await tx.query<Candidate[]>(NEXT, [projectId, after]);
      if (rows.length === 0) return undefined;
      await tx.query(LOCK_PIPELINES, [[...new Set(rows.map((row) => row.pipeline_id))]]);
      await tx.query(LOCK_JOBS, [[...new Set(rows.map((row) => row.job_id))]]);
      const going = await tx.query<Omit<Candidate, 'pipeline_id'>[]>(GOING, [rows.map((row) => row.id)]);
      await tx.query(SHOW, [[...new Set(going.map((row) => row.job_id))]]);
      await tx.query(EXPIRE, [going.map((row) => row.id)]);
      return rows.at(-1)?.id;
    });
  }
}
