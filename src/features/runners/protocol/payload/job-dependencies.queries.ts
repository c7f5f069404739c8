import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isUnexpiredSql } from '#core/ci/artifacts/unexpired-artifact.sql.js';
import type { JobDefinition } from '#core/ci/jobs/definition/job-definition.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { PayloadDependency } from './payload-files.record.js';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly filename: string | null;
  readonly size: number;
}

/** $2: only stages before this, null for all; $3: only these names, null for all. */
const FIND = `select j.id, j.name, a.filename, a.size from ci_jobs j
  left join ci_job_artifacts a on a.job_id = j.id and a.file_type = 'archive'
    and ${isUnexpiredSql('a')}
  where j.pipeline_id = $1 and j.kind = 'build' and not j.retried and j.status = 'success'
    and ($2::integer is null or j.stage_index < $2) and ($3::text[] is null or j.name = any($3))
  order by j.id`;

/** Finds the jobs whose artifacts a job receives. */
@Injectable()
export class JobDependenciesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Returns successful jobs of earlier stages, or those that the job names. Their artifacts are downloaded
   * with the token of the receiving job.
   */
  async of(job: Job, { needs, dependencies }: JobDefinition, token: string): Promise<PayloadDependency[]> {
    const needed = needs?.filter(({ artifacts }) => artifacts).map((need) => need.job) ?? null;
    const names =
      needed && dependencies
        ? needed.filter((name) => dependencies.includes(name))
        : (needed ?? dependencies);
    const before = needed ? null : job.stageIndex;
    if (names?.length === 0 || before === 0) return [];
    const rows = await this.database.short<Row>(FIND, [job.pipelineId, before, names]);
    return rows.map(({ id, name, filename, size }) => ({
      id,
      name,
      token,
      ...(filename === null ? {} : { artifacts_file: { filename, size } }),
    }));
  }
}
