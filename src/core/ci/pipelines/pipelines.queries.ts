import { Injectable } from '@nestjs/common';
import { byOwner } from '#kernel/database/lists/keyset-orders.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { PIPELINE_BASIC_COLUMNS, type PipelineBasicRow } from './records/pipeline-basic.record.js';
import { PIPELINE_COLUMNS, PIPELINE_FROM, type PipelineRow } from './records/pipeline.record.js';
import type { ListPipelinesParams } from './pipelines.params.js';

const SHAPE: ListShape = {
  kind: 'Pipeline',
  select: `p.id, p.project_id, ${PIPELINE_BASIC_COLUMNS}`,
  from: 'ci_pipelines p',
  key: 'p.id',
  keyset: { id: byOwner('p') },
};

const FIND = `select ${PIPELINE_COLUMNS} from ${PIPELINE_FROM} where p.id = $2 and p.project_id = $1`;

/** In an order that only the index of the commit has, as in `formerStatusSql`. */
const LATEST = `select p.id from ci_pipelines p where p.project_id = $1 and p.sha >= $2 and p.sha <= $2 and p.ref = $3 and p.parent_id is null
  order by p.sha desc, p.id desc limit 1`;

const VARIABLES = `select id, user_id, variables from ci_pipelines where id = $2 and project_id = $1`;

/** SQL condition: the pipeline is the newest of its branch or tag. */
const newestOf = (
  tag: boolean,
): string => `p.tag = ${String(tag)} and p.source <> 'merge_request_event' and p.id = (select n.id
  from ci_pipelines n where n.project_id = p.project_id and n.ref >= p.ref and n.ref <= p.ref and n.tag = p.tag and n.parent_id is null
    and n.source <> 'merge_request_event' order by n.ref desc, n.id desc limit 1)`;

const SCOPES: Readonly<Record<Required<ListPipelinesParams>['scope'], string>> = {
  running: `p.status = 'running'`,
  pending: `p.status = 'pending'`,
  finished: `p.status in ('success', 'failed', 'canceled')`,
  branches: newestOf(false),
  tags: newestOf(true),
};

/** Sealed variables of a pipeline, with its author. */
export interface SealedVariablesRow {
  readonly id: number;
  readonly user_id: number | null;
  readonly variables: string | null;
}

/** Reads pipelines. */
@Injectable()
export class PipelinesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the pipelines of a project. */
  list(projectId: number, params: ListPipelinesParams): ListQuery<PipelineBasicRow> {
    const { order_by: order = 'id', sort = 'desc', scope, source } = params;
    const query = new ListQuery<PipelineBasicRow>(SHAPE).fromReplica();
    query.of('p.project_id', projectId);
    if (source !== 'parent_pipeline') query.where('p.parent_id is null');
    if (scope) query.where(SCOPES[scope]);
    if (source !== undefined) query.where('p.source = ?', source);
    if (params.status !== undefined) query.where('p.status = ?', params.status);
    if (params.ref !== undefined) query.where('p.ref = ?', params.ref);
    if (params.sha !== undefined) query.where('p.sha = ?', params.sha);
    if (params.name !== undefined) query.where('p.name = ?', params.name);
    if (params.yaml_errors !== undefined)
      query.where(`p.yaml_errors is ${params.yaml_errors ? 'not ' : ''}null`);
    if (params.username !== undefined)
      query.where(
        'p.user_id = (select u.id from users u where lower(u.username) = lower(?) and not u.pending_delete)',
        params.username,
      );
    if (params.updated_after) query.where('p.updated_at >= ?', params.updated_after);
    if (params.updated_before) query.where('p.updated_at <= ?', params.updated_before);
    if (params.created_after) query.where('p.created_at >= ?', params.created_after);
    if (params.created_before) query.where('p.created_at <= ?', params.created_before);
    if (isLong(params)) query.long();
    return query.orderBy(`p.${order}`, sort);
  }

  /** Returns a pipeline; null if the project has none with this id. */
  find(projectId: number, id: number): Promise<PipelineRow | null> {
    return this.database.one<PipelineRow>(FIND, [projectId, id]);
  }

  /** Returns the id of the newest pipeline of a commit on a branch or tag. */
  async latest(projectId: number, sha: string, ref: string): Promise<number | null> {
    return (await this.database.one<{ id: number }>(LATEST, [projectId, sha, ref]))?.id ?? null;
  }

  /** Returns the sealed variables of a pipeline with its author. */
  variables(projectId: number, id: number): Promise<SealedVariablesRow | null> {
    return this.database.one<SealedVariablesRow>(VARIABLES, [projectId, id]);
  }
}

/** Returns whether filters or order have no index. */
const isLong = ({ scope, order_by: order, ...rest }: ListPipelinesParams): boolean =>
  order === 'user_id' ||
  (scope !== undefined && scope !== 'running' && scope !== 'pending') ||
  [
    'username',
    'name',
    'yaml_errors',
    'source',
    'updated_after',
    'updated_before',
    'created_after',
    'created_before',
  ].some((name) => rest[name as keyof typeof rest] !== undefined);
