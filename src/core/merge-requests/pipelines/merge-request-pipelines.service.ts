import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { CreatePipelineService } from '#core/ci/creation/create-pipeline.service.js';
import type { CreatedPipeline } from '#core/ci/creation/new-pipeline.js';
import { mergeRequestRef } from '#core/ci/creation/resolve-pipeline-ref.js';
import type { MergeRequest } from '../merge-request.entity.js';

/** User of a pipeline of a merge request, and the project in which that of a fork runs. */
export interface PipelineRequest {
  readonly userId: number;
  /** Whether the user acts as an administrator; undefined if the user made no request. */
  readonly isAdmin?: boolean;
  /**
   * Run with the runners and variables of the target project: only if one of its members, who has seen the
   * code, requests it.
   */
  readonly inParent: boolean;
}

/** Creates pipelines of merge requests. */
@Injectable()
export class MergeRequestPipelinesService {
  constructor(private readonly creation: CreatePipelineService) {}

  /**
   * Creates a pipeline for the head, or returns why there is none. `within` runs first in the same
   * transaction.
   */
  async create(
    mergeRequest: MergeRequest,
    { inParent, ...by }: PipelineRequest,
    within?: (tx: Tx) => Promise<void>,
  ): Promise<CreatedPipeline> {
    const { id, headSha } = mergeRequest;
    const target = refOf(mergeRequest, inParent);
    if (!target || headSha === null) return { errors: ['Reference not found'], about: 'ref' };
    return this.creation.create(
      {
        ...target,
        sha: headSha,
        source: 'merge_request_event',
        mergeRequestId: id,
        ...by,
        variables: [],
      },
      within,
    );
  }
}

/** The pipeline of a fork runs in the fork, unless it is requested in the parent. */
function refOf(
  { projectId, iid, sourceProjectId, sourceBranch }: MergeRequest,
  inParent: boolean,
): { readonly projectId: number; readonly ref: string } | null {
  if (inParent || sourceProjectId === projectId) return { projectId, ref: mergeRequestRef(iid) };
  return sourceProjectId === null ? null : { projectId: sourceProjectId, ref: `refs/heads/${sourceBranch}` };
}
