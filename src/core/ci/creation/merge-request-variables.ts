import type { Links } from '#kernel/http/links.js';
import type { CiVariable } from '../jobs/definition/job-definition.js';
import { MAX_TEXT, publicVariables } from './public-variables.js';
import { mergeRequestRef } from './resolve-pipeline-ref.js';

/** A merge request as read for its pipelines. */
export interface MergeRequestRow {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  readonly sourceProjectId: number | null;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  readonly baseSha: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly draft: boolean;
  readonly squash: boolean;
  readonly targetPath: string;
  readonly sourcePath: string | null;
  readonly milestone: string | null;
  readonly versionId: number | null;
  readonly labels: readonly string[] | null;
  readonly assignees: readonly string[] | null;
}

/**
 * Computes the merge request variables of jobs. The shas of both branches belong to merged results, which do
 * not exist here.
 */
export function mergeRequestVariables(
  row: MergeRequestRow,
  isTargetProtected: boolean,
  links: Pick<Links, 'project'>,
): CiVariable[] {
  const description = row.description ?? '';
  return publicVariables({
    CI_MERGE_REQUEST_ID: row.id,
    CI_MERGE_REQUEST_IID: row.iid,
    CI_MERGE_REQUEST_REF_PATH: mergeRequestRef(row.iid),
    CI_MERGE_REQUEST_PROJECT_ID: row.projectId,
    CI_MERGE_REQUEST_PROJECT_PATH: row.targetPath,
    CI_MERGE_REQUEST_PROJECT_URL: links.project(row.targetPath),
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: row.targetBranch,
    CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED: String(isTargetProtected),
    CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: row.sourceProjectId,
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: row.sourcePath,
    CI_MERGE_REQUEST_SOURCE_PROJECT_URL: row.sourcePath === null ? null : links.project(row.sourcePath),
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: row.sourceBranch,
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: row.baseSha,
    CI_MERGE_REQUEST_DIFF_ID: row.versionId,
    CI_MERGE_REQUEST_TITLE: row.title,
    CI_MERGE_REQUEST_DESCRIPTION: description.slice(0, MAX_TEXT),
    CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED: String(description.length > MAX_TEXT),
    CI_MERGE_REQUEST_ASSIGNEES: row.assignees?.join(',') ?? null,
    CI_MERGE_REQUEST_LABELS: row.labels?.join(',') ?? null,
    CI_MERGE_REQUEST_MILESTONE: row.milestone,
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_SQUASH_ON_MERGE: String(row.squash),
    CI_MERGE_REQUEST_DRAFT: String(row.draft),
  });
}
