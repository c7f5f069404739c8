import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { CiVariable, JobDefinition } from '../jobs/definition/job-definition.js';
import type { Job } from '../jobs/job.entity.js';

const HANDED_ON = `select v.key, v.value, j.name, j.stage_index as "stageIndex" from ci_jobs j join ci_job_variables v on v.job_id = j.id
  where j.pipeline_id = $1 and not j.retried and j.id <> $2 and j.status = 'success' and j.stage_index <= $3
  order by j.stage_index, j.id, v.key`;

interface Row {
  readonly key: string;
  readonly value: string;
  readonly name: string;
  readonly stageIndex: number;
}

/** Reads the variables that jobs pass to later jobs by `dotenv` reports. */
@Injectable()
export class DotenvVariablesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the variables from the jobs whose artifacts the job receives. */
  async of(job: Job, definition: JobDefinition): Promise<CiVariable[]> {
    const { dependencies, needs } = definition;
    const named = dependencies ?? needs?.filter(({ artifacts }) => artifacts).map((need) => need.job);
    if (named ? named.length === 0 : job.stageIndex === 0) return [];
    const rows = await this.database.short<Row>(HANDED_ON, [job.pipelineId, job.id, job.stageIndex]);
    const wanted = named && new Set(named);
    const counts = ({ name, stageIndex }: Row): boolean =>
      wanted ? wanted.has(name) : stageIndex < job.stageIndex;
    return rows
      .filter(counts)
      .map(({ key, value }) => ({ key, value, public: false, masked: false, raw: true }));
  }
}
