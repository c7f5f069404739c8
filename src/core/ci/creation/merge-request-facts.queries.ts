import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Links } from '#kernel/http/links.js';
import { ProtectionsQueries } from '#core/repositories/protection/protections.queries.js';
import type { CiVariable } from '../jobs/definition/job-definition.js';
import type { PipelineRefFacts } from '../pipelines/pipeline-protections.queries.js';
import { mergeRequestVariables, type MergeRequestRow } from './merge-request-variables.js';
import { publicVariables } from './public-variables.js';

/** Facts of merge requests that a pipeline needs. */
export interface KnownMergeRequests {
  /** Source branch of its merge request; null if the pipeline has none. */
  readonly sourceBranch: string | null;
  /** Merge base of the source and target branches; null if unknown. */
  readonly baseSha: string | null;
  readonly variables: readonly CiVariable[];
}

const FIND = `select m.id, m.iid, m.project_id as "projectId", m.source_project_id as "sourceProjectId", m.source_branch as "sourceBranch",
    m.target_branch as "targetBranch", m.base_sha as "baseSha", m.title, m.description, m.draft, m.squash, t.full_path as "targetPath",
    s.full_path as "sourcePath", i.title as milestone,
    (select max(v.id) from merge_request_versions v where v.merge_request_id = m.id) as "versionId",
    (select array_agg(l.title order by l.title) from merge_request_labels x join labels l on l.id = x.label_id
      where x.merge_request_id = m.id) as labels,
    (select array_agg(u.username order by x.user_id) from merge_request_assignees x join users u on u.id = x.user_id
      where x.merge_request_id = m.id) as assignees
  from merge_requests m join projects t on t.id = m.project_id left join projects s on s.id = m.source_project_id
  left join milestones i on i.id = m.milestone_id where m.id = $1`;

/** Open merge requests of the branch, newest first, in an order that only the index of the branch has. */
const OPEN = `select p.full_path || '!' || m.iid as reference from merge_requests m join projects p on p.id = m.project_id
  where m.source_project_id = $1 and m.source_branch >= $2 and m.source_branch <= $2 and m.state = 'opened'
  order by m.source_branch desc, m.id desc limit 4`;

/** Reads the facts of merge requests that pipelines need. */
@Injectable()
export class MergeRequestFactsQueries {
  constructor(
    private readonly database: ReadDatabase,
    private readonly protections: ProtectionsQueries,
    private readonly links: Links,
  ) {}

  /** Returns the facts of the merge request of a pipeline, and of the open ones of its branch. */
  async of(pipeline: PipelineRefFacts): Promise<KnownMergeRequests> {
    const { projectId, ref, tag, mergeRequestId } = pipeline;
    if (tag) return { sourceBranch: null, baseSha: null, variables: [] };
    const row =
      mergeRequestId === null ? null : await this.database.one<MergeRequestRow>(FIND, [mergeRequestId]);
    const [open, own] = await Promise.all([
      this.open(row?.sourceProjectId ?? projectId, row?.sourceBranch ?? ref),
      row ? this.variablesOf(row) : [],
    ]);
    return {
      sourceBranch: row?.sourceBranch ?? null,
      baseSha: row?.baseSha ?? null,
      variables: [...own, ...open],
    };
  }

  private async open(projectId: number, branch: string): Promise<CiVariable[]> {
    const rows = await this.database.short<{ reference: string }>(OPEN, [projectId, branch]);
    const references = rows.map(({ reference }) => reference).join(',');
    return publicVariables({ CI_OPEN_MERGE_REQUESTS: references || null });
  }

  private async variablesOf(row: MergeRequestRow): Promise<CiVariable[]> {
    const protections = await this.protections.of(row.projectId, { userId: 0, role: Role.None });
    const isProtected = protections.of('branch', row.targetBranch) !== null;
    return mergeRequestVariables(row, isProtected, this.links);
  }
}
