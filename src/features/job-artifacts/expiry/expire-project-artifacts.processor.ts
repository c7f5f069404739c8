import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { ExpireProjectArtifacts } from './expire-project-artifacts.job.js';
import { RemoveExpiredArtifacts } from './remove-expired-artifacts.job.js';

const BATCH = 500;

/** All but traces, kept ones and those of the latest success of a ref. */
const NEXT = `select a.id, a.job_id from ci_job_artifacts a
  where a.project_id = $1 and a.id > $2 and a.file_type <> 'trace' and not a.kept and (a.expire_at is null or a.expire_at > now())
    and not exists (select 1 from ci_jobs j join ci_pipelines p on p.id = j.pipeline_id where j.id = a.job_id and p.locked)
  order by a.id limit ${BATCH}`;

/** Jobs before their artifacts, as whoever keeps them does. */
const LOCK = 'select id from ci_jobs where id = any($1) order by id for no key update';

/** Somebody may have said, until the job was locked, that its artifacts are to be kept: each statement below looks again. */
const SHOW = `update ci_jobs set artifacts_expire_at = now()
  where id in (select job_id from ci_job_artifacts where id = any($1) and not kept)`;

const EXPIRE = `update ci_job_artifacts set expire_at = now(), updated_at = now() where id = any($1) and not kept`;

/** Goes through a project in batches; what has expired is removed as usual. */
@Injectable()
export class ExpireProjectArtifactsProcessor extends JobProcessor<{ readonly projectId: number }> {
  readonly job = ExpireProjectArtifacts;

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
    await this.transactions.run((tx) => this.jobs.enqueue(tx, RemoveExpiredArtifacts, {}));
  }

  /** Returns the last one, or undefined when none was left. */
  private expireSome(projectId: number, after: number): Promise<number | undefined> {
    return this.transactions.run(async (tx) => {
      const rows = await tx.query<{ id: number; job_id: number }[]>(NEXT, [projectId, after]);
      const ids = rows.map((row) => row.id);
      await tx.query(LOCK, [[...new Set(rows.map((row) => row.job_id))]]);
      await tx.query(SHOW, [ids]);
      await tx.query(EXPIRE, [ids]);
      return rows.at(-1)?.id;
    });
  }
}
