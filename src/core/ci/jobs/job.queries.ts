import { Injectable } from '@nestjs/common';
import { byOwner } from '#kernel/database/lists/keyset-orders.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { PIPELINE_BASIC_COLUMNS } from '../pipelines/records/pipeline-basic.record.js';
import type { BridgeRow } from './bridge.record.js';
import { JOB_COLUMNS, JOB_FROM, type JobRow } from './job.row.js';
import type { CiStatus } from './job-status.js';

/**
 * Ordered by project and id, over `project_id = any(array[...])`: the planner does not see that there is only one project, so it cannot take the
 * primary key for an index in the right order and walk it through the jobs of all other projects.
 */
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

/** Which jobs of a pipeline are wanted. */
export interface PipelineJobs {
  readonly projectId: number;
  readonly pipelineId: number;
  readonly scope: readonly CiStatus[];
  readonly withRetried: boolean;
}

/** Reading jobs. */
@Injectable()
export class JobQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** One job or bridge, or null where the project has none of this id. */
  find(projectId: number, id: number): Promise<JobRow | null> {
    return this.database.one<JobRow>(FIND, [projectId, id]);
  }

  /** The running job that a token belongs to. */
  current(id: number): Promise<JobRow | null> {
    return this.database.one<JobRow>(CURRENT, [id]);
  }

  /** What decides who may read the trace of a job. */
  traceOf(projectId: number, id: number): Promise<{ id: number; debug_trace: boolean } | null> {
    return this.database.one(TRACE, [projectId, id]);
  }

  /** The jobs of a project, the newest first. */
  list(projectId: number, scope: readonly CiStatus[]): ListQuery<JobRow> {
    const query = new ListQuery<JobRow>(OF_PROJECT).where(
      `j.project_id = any(array[?::bigint]) and j.kind = 'build'`,
      projectId,
    );
    // One status has an index in the order of the list; several are looked for among all jobs, the newest first.
    if (scope.length === 1) query.where('j.status = ?', scope[0]);
    if (scope.length > 1) query.where('j.status = any(?)', scope).long();
    return query.orderBy('j.project_id', 'desc');
  }

  /** The jobs of a pipeline, the newest first. */
  ofPipeline(wanted: PipelineJobs): ListQuery<JobRow> {
    return inPipeline(new ListQuery<JobRow>(OF_PIPELINE), 'build', wanted);
  }

  /** The jobs of a pipeline that start others, with these. */
  bridges(wanted: PipelineJobs): ListQuery<BridgeRow> {
    return inPipeline(new ListQuery<BridgeRow>(BRIDGES), 'bridge', wanted);
  }

  /** Whether the project has a pipeline of this id. */
  async hasPipeline(projectId: number, id: number): Promise<boolean> {
    return (await this.database.one(HAS_PIPELINE, [projectId, id])) !== null;
  }
}

function inPipeline<Row extends object>(
  query: ListQuery<Row>,
  kind: 'build' | 'bridge',
  { projectId, pipelineId, scope, withRetried }: PipelineJobs,
): ListQuery<Row> {
  query.where('j.pipeline_id = ? and j.project_id = ? and j.kind = ?', pipelineId, projectId, kind);
  if (!withRetried) query.where('not j.retried');
  if (scope.length > 0) query.where('j.status = any(?)', scope);
  return query.orderBy('j.pipeline_id', 'desc');
}
