import { Injectable } from '@nestjs/common';
import { byOwner } from '#kernel/database/lists/keyset-orders.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { PIPELINE_BASIC_COLUMNS } from '../pipelines/records/pipeline-basic.record.js';
import type { BridgeRow } from './bridge.record.js';
import { JOB_COLUMNS, JOB_FROM, type JobRow } from './job.row.js';
import type { CiStatus } from './job-status.js';

const OF_PROJECT: ListShape = {
  kind: 'Job',
  select: JOB_COLUMNS,
  from: JOB_FROM,
  countFrom: 'ci_jobs j',
  deepFrom: 'ci_jobs j',
  key: 'j.id',
  keyset: { id: byOwner('j') },
};

const OF_PIPELINE: ListShape = {
  kind: 'Job',
  select: JOB_COLUMNS,
  from: JOB_FROM,
  countFrom: 'ci_jobs j',
  key: 'j.id',
};

const BRIDGES: ListShape = {
  ...OF_PIPELINE,
  select: `${JOB_COLUMNS}, (select row_to_json(child) from (select ${PIPELINE_BASIC_COLUMNS} from ci_pipelines p where p.bridge_id = j.id) child)
    as downstream`,
};

const FIND = `select ${JOB_COLUMNS} from ${JOB_FROM} where j.id = $2 and j.project_id = $1 and j.kind <> 'status'`;

const CURRENT = `select ${JOB_COLUMNS} from ${JOB_FROM} where j.id = $1 and j.status = 'running'`;

const HAS_PIPELINE = 'select 1 from ci_pipelines where id = $2 and project_id = $1';

const TRACE = `select id, debug_trace from ci_jobs where id = $2 and project_id = $1 and kind = 'build'`;

/** Pipeline and filters of a list of jobs. */
export interface PipelineJobs {
  readonly projectId: number;
  readonly pipelineId: number;
  readonly scope: readonly CiStatus[];
  readonly withRetried: boolean;
}

/** Reads jobs. */
@Injectable()
export class JobQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns a job or bridge; null if the project has none with this id. */
  find(projectId: number, id: number): Promise<JobRow | null> {
    return this.database.one<JobRow>(FIND, [projectId, id]);
  }

  /** Returns the running job of a job token. */
  current(id: number): Promise<JobRow | null> {
    return this.database.one<JobRow>(CURRENT, [id]);
  }

  /** Returns the facts that decide who may read the trace of a job. */
  traceOf(projectId: number, id: number): Promise<{ id: number; debug_trace: boolean } | null> {
    return this.database.one(TRACE, [projectId, id]);
  }

  /** Lists the jobs of a project, newest first. */
  list(projectId: number, scope: readonly CiStatus[]): ListQuery<JobRow> {
    const query = new ListQuery<JobRow>(OF_PROJECT)
      .of('j.project_id', projectId)
      .where(`j.kind = 'build'`)
      .fromReplica();
    // A single status has an index in list order; several statuses are filtered from all jobs, newest first.
    if (scope.length === 1) query.where('j.status = ?', scope[0]);
    if (scope.length > 1) query.where('j.status = any(?)', scope).long();
    return query.orderBy('j.id', 'desc');
  }

  /** Lists the jobs of a pipeline, newest first. */
  ofPipeline(wanted: PipelineJobs): ListQuery<JobRow> {
    return inPipeline(new ListQuery<JobRow>(OF_PIPELINE), 'build', wanted);
  }

  /** Lists the bridges of a pipeline with their child pipelines. */
  bridges(wanted: PipelineJobs): ListQuery<BridgeRow> {
    return inPipeline(new ListQuery<BridgeRow>(BRIDGES), 'bridge', wanted);
  }

  /** Returns whether the project has a pipeline with this id. */
  async hasPipeline(projectId: number, id: number): Promise<boolean> {
    return (await this.database.one(HAS_PIPELINE, [projectId, id])) !== null;
  }
}

function inPipeline<Row extends object>(
  query: ListQuery<Row>,
  kind: 'build' | 'bridge',
  { projectId, pipelineId, scope, withRetried }: PipelineJobs,
): ListQuery<Row> {
  query.of('j.pipeline_id', pipelineId).where('j.project_id = ? and j.kind = ?', projectId, kind);
  if (!withRetried) query.where('not j.retried');
  if (scope.length > 0) query.where('j.status = any(?)', scope);
  return query.orderBy('j.id', 'desc').fromReplica();
}
