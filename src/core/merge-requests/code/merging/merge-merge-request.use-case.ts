import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { conflict, forbidden, HttpError, notFound } from '#kernel/http/errors.js';
import { isReadOnly } from '#core/repositories/pushes/push-errors.js';
import { isRunningPipeline, type DetailedMergeStatus } from '../detailed-merge-status.js';
import { MergeRequestFollowingService } from '../following/merge-request-following.service.js';
import { MergeRequestHeadsService } from '../merge-request-heads.service.js';
import { AutoMergeService } from './auto-merge/auto-merge.service.js';
import { branchCannotBeMerged } from './build-merge.js';
import { MergeExecutionService, type MergeOptions } from './merge-execution.service.js';
import type { MergeMergeRequestParams } from './merging.params.js';
import { MergePolicy } from './merge.policy.js';
import { mergeStatusOf, MergeableQueries, type MergeableMergeRequest } from './mergeable.queries.js';

/** Error 405: the state of the merge request does not allow a merge. */
export const mergeNotAllowed = (): HttpError => new HttpError(405, { message: '405 Method Not Allowed' });

const UNFIT_BRANCHES: readonly DetailedMergeStatus[] = [
  'broken_status',
  'need_rebase',
  'unchecked',
  'checking',
];

/** Statuses in which auto-merge is possible. */
const WAITING: readonly DetailedMergeStatus[] = ['mergeable', 'ci_still_running', 'ci_must_pass'];

/** Merges merge requests: at once, or when their pipelines succeed. */
@Injectable()
export class MergeMergeRequest {
  constructor(
    private readonly queries: MergeableQueries,
    private readonly rights: MergePolicy,
    private readonly heads: MergeRequestHeadsService,
    private readonly following: MergeRequestFollowingService,
    private readonly execution: MergeExecutionService,
    private readonly autoMerges: AutoMergeService,
  ) {}

  /**
   * Merges a merge request. @throws 403 without the right to merge into the target; 405 if its state, 422 if
   * its branches do not allow it; 409 if its head is another one
   */
  async merge(project: ProjectSubject, caller: Caller, params: MergeMergeRequestParams): Promise<void> {
    const found = await this.queries.byIid(project.id, params.merge_request_iid);
    if (!found) throw notFound('Merge Request');
    const { actor } = caller;
    const role = actor?.admin ? Role.Admin : caller.role;
    if (!actor || !(await this.rights.mayMerge(project.id, { userId: actor.id, role }, found.targetBranch)))
      throw forbidden();
    assertNoneOf(found, ['not_open', 'draft_status', 'discussions_not_resolved', 'not_approved']);
    const options: MergeOptions = {
      userId: actor.id,
      role,
      squash: params.squash ?? null,
      shouldRemoveSourceBranch: params.should_remove_source_branch ?? null,
      mergeCommitMessage: params.merge_commit_message ?? null,
      squashCommitMessage: params.squash_commit_message ?? null,
    };
    const mergeRequest = await this.current(found, actor.id);
    const status = mergeStatusOf(mergeRequest);
    if (UNFIT_BRANCHES.includes(status)) throw branchCannotBeMerged();
    if (!WAITING.includes(status)) throw mergeNotAllowed();
    assertHead(mergeRequest, params.sha);
    const waits = params.merge_when_pipeline_succeeds === true || params.auto_merge === true;
    if (waits && isRunningPipeline(mergeRequest.pipelineStatus)) {
      await this.autoMerges.set(mergeRequest, options);
      return;
    }
    if (status !== 'mergeable') throw mergeNotAllowed();
    await this.execution.execute(mergeRequest, options);
  }

  /**
   * Cancels auto-merge. @throws 403 unless the caller may merge or is the author; 405 if it is not open; 406
   * if auto-merge is not enabled
   */
  async cancel(project: ProjectSubject, caller: Caller, iid: number): Promise<void> {
    const found = await this.queries.byIid(project.id, iid);
    if (!found) throw notFound('Merge Request');
    const { actor } = caller;
    const role = actor?.admin ? Role.Admin : caller.role;
    if (!actor) throw forbidden();
    const isOwn = found.authorId === actor.id || found.autoMerge?.userId === actor.id;
    if (!isOwn && !(await this.rights.mayMerge(project.id, { userId: actor.id, role }, found.targetBranch)))
      throw forbidden();
    if (found.state !== 'opened') throw mergeNotAllowed();
    if (!(await this.autoMerges.cancel(found.id, actor.id)))
      throw new HttpError(406, { message: '406 Not Acceptable' });
  }

  /**
   * Merges a merge request with auto-merge after its pipeline has succeeded, as the user who enabled it;
   * disables auto-merge if that is impossible. @throws 400 while its repository moves
   */
  async mergeAutomatically(id: number): Promise<void> {
    const found = await this.queries.byId(id);
    const wanted = found?.autoMerge;
    if (!wanted || found.state !== 'opened') return;
    const role = await this.rights.roleOf(found.projectId, wanted.userId);
    const { userId } = wanted;
    if (
      role === null ||
      !(await this.rights.mayMerge(found.projectId, { userId, role }, found.targetBranch))
    ) {
      await this.autoMerges.abort(id, null, 'its author may no longer merge');
      return;
    }
    try {
      const mergeRequest = await this.current(found, userId);
      // A push in the meantime has disabled auto-merge.
      if (!mergeRequest.autoMerge || mergeRequest.headSha !== wanted.sha) return;
      if (isRunningPipeline(mergeRequest.pipelineStatus)) return;
      if (mergeStatusOf(mergeRequest) !== 'mergeable') throw branchCannotBeMerged();
      await this.execution.execute(mergeRequest, { ...wanted, role, isAutomatic: true });
    } catch (error) {
      if (isReadOnly(error) || !(error instanceof HttpError) || error.status >= 500) throw error;
      await this.autoMerges.abort(id, userId, error.message);
    }
  }

  /** Checks the branches first: the merge request may be outdated. */
  private async current(known: MergeableMergeRequest, userId: number): Promise<MergeableMergeRequest> {
    const { sourceProjectId } = known;
    const heads = sourceProjectId === null ? null : await this.heads.find({ ...known, sourceProjectId });
    const isFresh =
      heads?.headSha === known.headSha &&
      heads.startSha === known.startSha &&
      known.mergeStatus === 'can_be_merged';
    if (isFresh) return known;
    await this.following.follow(known.id, { userId, head: null });
    const now = await this.queries.byId(known.id);
    if (!now) throw notFound('Merge Request');
    return now;
  }
}

function assertNoneOf(mergeRequest: MergeableMergeRequest, refused: readonly DetailedMergeStatus[]): void {
  if (refused.includes(mergeStatusOf(mergeRequest))) throw mergeNotAllowed();
}

function assertHead({ headSha }: MergeableMergeRequest, sha: string | undefined): void {
  if (sha !== undefined && sha !== '' && sha !== headSha)
    throw conflict(`SHA does not match HEAD of source branch: ${headSha ?? ''}`);
}
