import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import {
  PIPELINE_BASIC_COLUMNS,
  type PipelineBasicRow,
} from '#core/ci/pipelines/records/pipeline-basic.record.js';
import {
  PIPELINE_COLUMNS,
  PIPELINE_FROM,
  type PipelineRow,
} from '#core/ci/pipelines/records/pipeline.record.js';
import { readableProjects } from '#core/projects/lists/readable-projects.js';

/** A pipeline with the full path of its project, which for a fork differs from that of the merge request. */
export type PipelineWithPath<Row> = Row & { readonly project_path: string };

const SHAPE: ListShape = {
  kind: 'Pipeline',
  select: `p.id, ${PIPELINE_BASIC_COLUMNS}, o.full_path as project_path`,
  from: 'ci_pipelines p join projects o on o.id = any(array[p.project_id])',
  countFrom: 'ci_pipelines p',
  key: 'p.id',
};

/** Pipelines of the merge request, and pipelines of its branch for commits that were its head. */
const OF_MERGE_REQUEST = `p.id = any(array(
    (select n.id from ci_pipelines n where n.merge_request_id = any(array[?::bigint]) and n.parent_id is null order by n.merge_request_id)
    union all select n.id from merge_requests m
      cross join lateral ((select v.head_sha from merge_request_versions v where v.merge_request_id = any(array[m.id]) order by v.merge_request_id)
        union select m.head_sha) h
      cross join lateral (select n.id from ci_pipelines n where n.project_id = any(array[m.source_project_id]) and n.sha = h.head_sha
        and n.ref = m.source_branch and not n.tag and n.parent_id is null and n.merge_request_id is null order by n.project_id) n
      where m.id = ?))`;

const FIND = `select ${PIPELINE_COLUMNS}, o.full_path as project_path from ${PIPELINE_FROM} join projects o on o.id = p.project_id
  where p.id = $1`;

/** Reads the pipelines of merge requests. */
@Injectable()
export class MergeRequestPipelinesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the pipelines, newest first; those of a fork only for callers who may read it. */
  list(projectId: number, id: number, actor: Actor | null): ListQuery<PipelineWithPath<PipelineBasicRow>> {
    const query = new ListQuery<PipelineWithPath<PipelineBasicRow>>(SHAPE).where(OF_MERGE_REQUEST, id, id);
    if (!actor?.admin) {
      const { sql, values } = readableProjects(actor, 'builds', Role.Reporter);
      // In this subquery `p` is the project.
      const forks = `select p.id from projects p join merge_requests m on m.source_project_id = p.id and m.id = ? where ${sql}`;
      query.where(`(p.project_id = ? or p.project_id in (${forks}))`, projectId, id, ...values);
    }
    return query.orderBy('p.id', 'desc');
  }

  /** Returns whether a user may read one of these pipelines. */
  async isSeen(pipelineId: number, projectId: number, id: number, actor: Actor | null): Promise<boolean> {
    const query = this.list(projectId, id, actor).where('p.id = ?', pipelineId);
    const { text, values } = query.pageStatement(1, 0);
    return (await this.database.short(text, values)).length > 0;
  }

  /** Returns a pipeline. */
  find(id: number): Promise<PipelineWithPath<PipelineRow> | null> {
    return this.database.one<PipelineWithPath<PipelineRow>>(FIND, [id]);
  }
}
