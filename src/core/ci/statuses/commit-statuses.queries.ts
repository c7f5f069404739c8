import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Pipeline } from '../pipelines/pipeline.entity.js';
import { COMMIT_STATUS_COLUMNS, COMMIT_STATUS_FROM, type CommitStatusRow } from './commit-status.record.js';
import type { ListCommitStatusesParams } from './commit-statuses.params.js';

const SHAPE: ListShape = {
  kind: 'Commit Status',
  select: COMMIT_STATUS_COLUMNS,
  from: COMMIT_STATUS_FROM,
  countFrom: 'ci_jobs j join ci_pipelines p on p.id = j.pipeline_id',
  key: 'j.id',
};

const NEWEST = `select ref, tag from ci_pipelines where project_id = $1 and sha >= $2 and sha <= $2 and ($3::bigint is null or id = $3)
  and ($3::bigint is not null or parent_id is null) order by sha desc, id desc limit 1`;

/** Reads commit statuses. */
@Injectable()
export class CommitStatusesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the statuses and jobs of all pipelines of a commit. */
  list(projectId: number, sha: string, params: ListCommitStatusesParams): ListQuery<CommitStatusRow> {
    const query = new ListQuery<CommitStatusRow>(SHAPE).fromReplica();
    query.where('p.project_id = ? and p.sha = ?', projectId, sha);
    if (!params.all) query.where('not j.retried');
    if (params.ref !== undefined) query.where('j.ref = ?', params.ref);
    if (params.stage !== undefined) query.where('j.stage = ?', params.stage);
    if (params.name !== undefined) query.where('j.name = ?', params.name);
    if (params.pipeline_id !== undefined) query.where('p.id = ?', params.pipeline_id);
    return query.orderBy(params.order_by === 'pipeline_id' ? 'j.pipeline_id' : 'j.id', params.sort ?? 'asc');
  }

  /** Returns the ref of the newest pipeline of a commit, or of the given one; null if there is none. */
  refOf(
    projectId: number,
    sha: string,
    pipelineId: number | undefined,
  ): Promise<Pick<Pipeline, 'ref' | 'tag'> | null> {
    return this.database.one(NEWEST, [projectId, sha, pipelineId ?? null]);
  }
}
