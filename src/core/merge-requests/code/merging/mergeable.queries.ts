import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { PROJECT_DEFAULTS, type ProjectSettings } from '#core/projects/settings/project-settings.js';
import { APPROVED_SQL } from '../../approvals/approved.sql.js';
import { detailedMergeStatus, type DetailedMergeStatus } from '../detailed-merge-status.js';
import type { AutoMerge, MergeRequestState, MergeStatus } from '../../merge-request.entity.js';

interface Row {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  readonly sourceProjectId: number | null;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  readonly authorId: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly state: MergeRequestState;
  readonly draft: boolean;
  readonly mergeStatus: MergeStatus;
  readonly squash: boolean;
  readonly forceRemoveSourceBranch: boolean | null;
  readonly autoMerge: AutoMerge | null;
  readonly baseSha: string | null;
  readonly startSha: string | null;
  readonly headSha: string | null;
  readonly mergeCommitSha: string | null;
  readonly squashCommitSha: string | null;
  readonly mergeUserId: number | null;
  readonly rebasingSince: Date | null;
  readonly fullPath: string;
  readonly pipelineStatus: string | null;
  readonly hasOpenThreads: boolean;
  /** False while required approvals are missing. */
  readonly approved: boolean;
}

/** A merge request with the facts that merging depends on. */
export interface MergeableMergeRequest extends Row {
  readonly settings: Readonly<ProjectSettings>;
}

type StoredRow = Row & { readonly settings: Partial<ProjectSettings> };

/** Only a pipeline of exactly this head counts. */
const SELECT = `select m.id, m.iid, m.project_id as "projectId", m.source_project_id as "sourceProjectId",
    m.source_branch as "sourceBranch", m.target_branch as "targetBranch", m.author_id as "authorId", m.title, m.description,
    m.state, m.draft, m.merge_status as "mergeStatus", m.squash, m.force_remove_source_branch as "forceRemoveSourceBranch",
    m.auto_merge as "autoMerge", m.base_sha as "baseSha", m.start_sha as "startSha", m.head_sha as "headSha",
    m.merge_commit_sha as "mergeCommitSha", m.squash_commit_sha as "squashCommitSha", m.merge_user_id as "mergeUserId",
    m.rebasing_since as "rebasingSince", p.full_path as "fullPath", p.settings,
    (select c.status from ci_pipelines c where c.id = m.head_pipeline_id and c.sha = m.head_sha) as "pipelineStatus",
    exists (select 1 from notes t where t.noteable_type = 'MergeRequest' and t.noteable_id = m.id and t.type is not null
      and not t.system and t.resolved_at is null) as "hasOpenThreads", ${APPROVED_SQL} as approved
  from merge_requests m join projects p on p.id = m.project_id and not p.pending_delete`;

const BY_ID = `${SELECT} where m.id = $1`;

/** Reads merge requests for merging. */
@Injectable()
export class MergeableQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns a merge request by its number in the project, or null. */
  byIid(projectId: number, iid: number): Promise<MergeableMergeRequest | null> {
    return this.one(`${SELECT} where m.project_id = $1 and m.iid = $2`, [projectId, iid]);
  }

  /** Returns a merge request by its id, or null. */
  byId(id: number): Promise<MergeableMergeRequest | null> {
    return this.one(BY_ID, [id]);
  }

  /** Returns a merge request that `tx` has locked, as it is now, or null. */
  async within(tx: Tx, id: number): Promise<MergeableMergeRequest | null> {
    const [row] = await tx.query<StoredRow[]>(BY_ID, [id]);
    return row ? withDefaults(row) : null;
  }

  private async one(text: string, values: readonly unknown[]): Promise<MergeableMergeRequest | null> {
    const row = await this.database.one<StoredRow>(text, values);
    return row && withDefaults(row);
  }
}

const withDefaults = (row: StoredRow): MergeableMergeRequest => ({
  ...row,
  settings: { ...PROJECT_DEFAULTS, ...row.settings },
});

/** Returns whether it can be merged now, or why not. */
export const mergeStatusOf = (one: MergeableMergeRequest): DetailedMergeStatus =>
  detailedMergeStatus({
    ...one,
    mergeMethod: one.settings.merge_method,
    pipelineMustSucceed: one.settings.only_allow_merge_if_pipeline_succeeds,
    allowSkippedPipeline: one.settings.allow_merge_on_skipped_pipeline === true,
    discussionsResolved:
      !one.hasOpenThreads || !one.settings.only_allow_merge_if_all_discussions_are_resolved,
  });
