import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { CreatePipelineService } from '#core/ci/creation/create-pipeline.service.js';
import type { CreatedPipeline } from '#core/ci/creation/new-pipeline.js';
import { mergeRequestRef } from '#core/ci/creation/resolve-pipeline-ref.js';
import type { MergeRequest } from '../merge-request.entity.js';

/** For whom a pipeline of a merge request runs, and where that of a fork does. */
export interface PipelineRequest {
  readonly userId: number;
  /** Whether they ask as an administrator; missing where they do not ask themselves. */
  readonly isAdmin?: boolean;
  /** With the runners and variables of the target project: only when one of its members asks for it, who has seen the code. */
  readonly inParent: boolean;
}

/** Makes pipelines of merge requests. */
@Injectable()
export class MergeRequestPipelinesService {
  constructor(private readonly creation: CreatePipelineService) {}

  /** Makes one for the head, or says why there is none. `within` runs in the same transaction before. */
  async create(
    mergeRequest: MergeRequest,
    { inParent, ...by }: PipelineRequest,
    within?: (tx: Tx) => Promise<void>,
  ): Promise<CreatedPipeline> {
    const { id, headSha } = mergeRequest;
    const place = placeOf(mergeRequest, inParent);
    if (!place || headSha === null) return { errors: ['Reference not found'], about: 'ref' };
    return this.creation.create(
      {
        ...place,
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

/** The pipeline of a fork runs in the fork unless the parent wants it. */
function placeOf(
  { projectId, iid, sourceProjectId, sourceBranch }: MergeRequest,
  inParent: boolean,
): { readonly projectId: number; readonly ref: string } | null {
  if (inParent || sourceProjectId === projectId) return { projectId, ref: mergeRequestRef(iid) };
  return sourceProjectId === null ? null : { projectId: sourceProjectId, ref: `refs/heads/${sourceBranch}` };
}
