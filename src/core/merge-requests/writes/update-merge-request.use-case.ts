import { Injectable } from '@nestjs/common';
import type { UserCaller, ProjectCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { forbidden, HttpError } from '#kernel/http/errors.js';
import { requireChange } from '#kernel/http/fields/require-change.js';
import { assertTitle } from '#core/issuables/text.rules.js';
import {
  MergeRequestHeadsService,
  type Heads,
  type MergeRequestBranches,
} from '../code/merge-request-heads.service.js';
import { MergeRequestFinder, mayPlan } from '../merge-request.finder.js';
import { MergeRequestChangesService, type ChangeWork } from './merge-request-changes.service.js';
import { MergeRequestConflictsRules, OPENING_ATTEMPTS } from './merge-request-conflicts.rules.js';
import { MergeRequestRelationsService } from './merge-request-relations.service.js';
import { MergeRequestStateService } from '../merge-request-state.service.js';
import { unprocessable } from './merge-request-target.finder.js';
import { MergeRequest } from '../merge-request.entity.js';
import { MergeRequestsQueries } from '../merge-requests.queries.js';
import type { UpdateMergeRequestParams } from '../merge-requests.params.js';

/** Requested and present branches of a merge request. */
interface Way {
  readonly branches: MergeRequestBranches;
  readonly heads: Heads;
  /** The head of the merge request when its branches were read. */
  readonly known: string | null;
}

/** Error 409: the source branch was followed after the branches were read. */
class HeadHasMoved extends HttpError {
  constructor() {
    super(409, { message: 'The merge request was changed in the meantime. Try again.' });
  }
}

/** Updates merge requests (`planning.md` 5.3). */
@Injectable()
export class UpdateMergeRequest {
  constructor(
    private readonly transactions: Transactions,
    private readonly access: MergeRequestFinder,
    private readonly queries: MergeRequestsQueries,
    private readonly heads: MergeRequestHeadsService,
    private readonly conflicts: MergeRequestConflictsRules,
    private readonly relations: MergeRequestRelationsService,
    private readonly changes: MergeRequestChangesService,
    private readonly states: MergeRequestStateService,
  ) {}

  /**
   * Updates a merge request with those of the parameters that the caller may change. @throws 400, 403, 404,
   * 409, 422
   */
  async run(caller: UserCaller & ProjectCaller, params: UpdateMergeRequestParams): Promise<void> {
    const { isOwn } = await this.access.find(caller, params.merge_request_iid);
    if (caller.role < Role.Developer && !isOwn) throw forbidden();
    requireChange(params, 'merge_request_iid');
    assertTitle(params.title);
    for (let attempt = 1; ; attempt += 1) {
      const way = await this.way(caller, params);
      try {
        await this.transactions.run((tx) => this.change(tx, caller, params, way));
        return;
      } catch (error) {
        const isFree = way !== null && (await this.conflicts.areFreeAgain(error, way.branches));
        if ((isFree || error instanceof HeadHasMoved) && attempt < OPENING_ATTEMPTS) continue;
        throw error;
      }
    }
  }

  private async change(
    tx: Tx,
    caller: UserCaller & ProjectCaller,
    params: UpdateMergeRequestParams,
    way: Way | null,
  ): Promise<void> {
    const project = caller.subject;
    const actorId = caller.actor.id;
    const plans = mayPlan(caller);
    // Lock order: labels, milestones and users may be locked by others who wait for the merge request.
    const named = await this.relations.find(tx, project.id, plans ? params : {}, caller.tier);
    const mentionedUsers = await this.changes.mentionedUsers(tx, project.id, caller.actor, params);
    const mergeRequest = await this.access.lock(tx, project.id, params.merge_request_iid);
    const allowed = await this.withoutOthersBranch(caller.actor, mergeRequest, params);
    const work: ChangeWork = { tx, actorId, mergeRequest, params: allowed, projectPath: project.fullPath };
    const isChanged = [
      await this.changes.columns(work, named.milestoneId, mentionedUsers, plans),
      await this.changes.labels(work, named),
      await this.changes.people(work, named),
      await this.move(work, way),
    ].includes(true);
    if (isChanged) await tx.update(MergeRequest, { id: mergeRequest.id }, { updatedAt: clock });
  }

  /** Drops the choice whether others may push to a fork's branch, unless the caller may push to it. */
  private async withoutOthersBranch(
    actor: Actor,
    { sourceProjectId }: MergeRequest,
    params: UpdateMergeRequestParams,
  ): Promise<UpdateMergeRequestParams> {
    const { allow_collaboration: allows, allow_maintainer_to_push: formerly, ...others } = params;
    if (allows === undefined && formerly === undefined) return params;
    const isTheirs = sourceProjectId !== null && (await this.relations.mayPush(actor, sourceProjectId));
    return isTheirs ? params : others;
  }

  private async move({ tx, actorId, mergeRequest, params }: ChangeWork, way: Way | null): Promise<boolean> {
    const { state_event: event, target_branch: target } = params;
    if (way && mergeRequest.headSha !== way.known) throw new HeadHasMoved();
    const moved =
      way !== null &&
      target !== undefined &&
      (await this.states.retarget(tx, mergeRequest, actorId, target, way.heads));
    if (event === 'close') return (await this.states.close(tx, mergeRequest, actorId)) || moved;
    if (event === 'reopen' && way)
      return (await this.states.reopen(tx, mergeRequest, actorId, way.heads)) || moved;
    return moved;
  }

  /** Checks the branches before any lock, if the change needs it; null if not. */
  private async way(caller: UserCaller, params: UpdateMergeRequestParams): Promise<Way | null> {
    if (params.target_branch === undefined && params.state_event !== 'reopen') return null;
    const row = await this.queries.find(caller, params.merge_request_iid);
    const isMoved = params.target_branch !== undefined && params.target_branch !== row.target_branch;
    const isReopened = params.state_event === 'reopen' && row.state === 'closed';
    if (!isReopened && (!isMoved || row.state !== 'opened')) return null;
    if (row.source_project_id === null)
      throw unprocessable('Source project is not a fork of the target project');
    const branches = {
      sourceProjectId: row.source_project_id,
      sourceBranch: row.source_branch,
      projectId: row.project_id,
      targetBranch: isReopened ? row.target_branch : (params.target_branch ?? row.target_branch),
    };
    if (branches.sourceProjectId === branches.projectId && branches.sourceBranch === branches.targetBranch)
      throw unprocessable("You can't use same project/branch for source and target");
    await this.conflicts.refuseOther(branches);
    // A new head of one that is open is left to the check of its push, which reports it.
    const heads = await this.heads.read(branches, isReopened ? null : row.head_sha);
    if (!heads) throw await this.conflicts.missingBranch(branches);
    if (isReopened && heads.headSha !== row.head_sha) await this.assertMayShow(caller.actor, branches);
    return { branches, heads, known: row.head_sha };
  }

  /**
   * Asserts that the caller may show the target what the source branch has received while the merge request
   * was closed: a fork may be hidden from the members of its source. @throws 403
   */
  private async assertMayShow(
    actor: Actor,
    { sourceProjectId, projectId }: MergeRequestBranches,
  ): Promise<void> {
    if (sourceProjectId === projectId) return;
    if (!(await this.relations.mayReadCode(actor, sourceProjectId))) throw forbidden();
  }
}
