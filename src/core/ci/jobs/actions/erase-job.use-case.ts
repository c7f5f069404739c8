import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { forbidden } from '#kernel/http/errors.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';
import { ArtifactStoreService } from '../../artifacts/artifact-store.service.js';
import { PipelinesService } from '../../pipelines/pipelines.service.js';
import { TracesService } from '../../traces/traces.service.js';
import { Job } from '../job.entity.js';
import { JobRefPolicy } from './job-ref.policy.js';
import { isFinished } from '../job-status.js';

const LEFT = `select exists (select 1 from ci_job_artifacts where job_id = $1)
  or exists (select 1 from ci_trace_chunks where job_id = $1) as something`;

/** Erases the artifacts and traces of jobs. */
@Injectable()
export class EraseJob {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly rights: JobRefPolicy,
    private readonly artifacts: ArtifactStoreService,
    private readonly traces: TracesService,
  ) {}

  /**
   * Erases the artifacts and trace of a finished job, for Maintainers and for the Developer who started it;
   * returns its id. @throws 403, 404
   */
  run(projectId: number, jobId: number, by: RightsOf): Promise<number> {
    return this.transactions.run(async (tx) => {
      const { pipeline, job } = await this.pipelines.lockJob(tx, projectId, jobId);
      if (by.role < Role.Maintainer && job.userId !== by.userId) throw forbidden();
      await this.rights.assertMayRun(pipeline, by);
      if (!(await isErasable(tx, job))) throw forbidden('Job is not erasable!');
      const erased = {
        erasedAt: new Date(),
        erasedById: by.userId,
        artifactsExpireAt: null,
        updatedAt: new Date(),
      };
      // Lock the job before its artifacts, in the order used everywhere.
      await tx.update(Job, { id: job.id }, erased);
      await this.artifacts.removeOfJob(tx, job.id, { keepTrace: false });
      await this.traces.remove(tx, job.id);
      await tx.query('delete from ci_job_variables where job_id = $1', [job.id]);
      return job.id;
    });
  }
}

async function isErasable(tx: Tx, { id, kind, status, erasedAt }: Job): Promise<boolean> {
  if (kind !== 'build' || !isFinished(status) || erasedAt !== null) return false;
  const [left] = await tx.query<{ something: boolean }[]>(LEFT, [id]);
  return left?.something === true;
}
