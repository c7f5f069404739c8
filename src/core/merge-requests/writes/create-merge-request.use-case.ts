import { Injectable } from '@nestjs/common';
import type { UserCaller, ProjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { issuableWritten } from '#core/activity/text-written.event.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { addPeople } from '#core/issuables/assignees.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { addLabels } from '#core/issuables/label-links.js';
import { keepMilestone } from '#core/issuables/resource-events/write-resource-events.js';
import { assertTitle, keptDescription } from '#core/issuables/text.rules.js';
import { MentionsService } from '#core/notes/participants/mentions.service.js';
import { taskCounts } from '#core/notes/markdown/task-counts.js';
import {
  MergeRequestHeadsService,
  type Heads,
  type MergeRequestBranches,
} from '../code/merge-request-heads.service.js';
import { ClosingIssuesService } from '../closing/closing-issues.service.js';
import { isDraftTitle } from './draft-title.js';
import { MergeRequestChanged } from '../merge-request-changed.event.js';
import { MergeRequestConflictsRules, OPENING_ATTEMPTS } from './merge-request-conflicts.rules.js';
import { MergeRequestRelationsService } from './merge-request-relations.service.js';
import {
  MergeRequestTargetFinder,
  unprocessable,
  type MergeRequestTarget,
} from './merge-request-target.finder.js';
import { MergeRequest } from '../merge-request.entity.js';
import { ASSIGNEES, REVIEWERS } from '../merge-request.row.js';
import type { CreateMergeRequestParams } from '../merge-requests.params.js';

/** Branches and projects of a new merge request. */
interface NewWay {
  readonly target: MergeRequestTarget;
  readonly branches: MergeRequestBranches;
  readonly heads: Heads;
}

/** Creates merge requests (`planning.md` 5.3). */
@Injectable()
export class CreateMergeRequest {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly iids: InternalIdsService,
    private readonly heads: MergeRequestHeadsService,
    private readonly targets: MergeRequestTargetFinder,
    private readonly conflicts: MergeRequestConflictsRules,
    private readonly relations: MergeRequestRelationsService,
    private readonly mentions: MentionsService,
    private readonly closing: ClosingIssuesService,
  ) {}

  /**
   * Checks that the caller, who may push to the source project, can create a merge request. @throws 400, 403,
   * 404, 409, 422
   */
  async way(caller: ProjectCaller, params: CreateMergeRequestParams): Promise<NewWay> {
    const source = caller.subject;
    assertTitle(params.title);
    const target = await this.targets.find(caller, params.target_project_id);
    const branches: MergeRequestBranches = {
      sourceProjectId: source.id,
      sourceBranch: params.source_branch,
      projectId: target.id,
      targetBranch: params.target_branch,
    };
    if (source.id === target.id && params.source_branch === params.target_branch)
      throw unprocessable("You can't use same project/branch for source and target");
    await this.conflicts.refuseOther(branches);
    const heads = await this.heads.read(branches);
    if (!heads) throw await this.conflicts.missingBranch(branches);
    return { target, branches, heads };
  }

  /** Creates the merge request that was checked. @throws 400, 409 */
  async run(
    caller: UserCaller & ProjectCaller,
    params: CreateMergeRequestParams,
    way: NewWay,
  ): Promise<{ projectId: number; iid: number }> {
    // The quick actions may have been the whole text.
    assertTitle(params.title);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.transactions.run((tx) => this.insert(tx, caller, params, way));
      } catch (error) {
        const isFree = await this.conflicts.areFreeAgain(error, way.branches);
        if (!isFree || attempt === OPENING_ATTEMPTS) throw error;
      }
    }
  }

  private async insert(
    tx: Tx,
    caller: UserCaller & ProjectCaller,
    params: CreateMergeRequestParams,
    { target, branches, heads }: NewWay,
  ): Promise<{ projectId: number; iid: number }> {
    const author = caller.actor;
    const { id: authorId } = author;
    const { id: projectId } = target;
    const { messages, ...refs } = heads;
    const mayPlan = target.role >= Role.Developer;
    const found = await this.relations.find(tx, projectId, mayPlan ? params : {}, caller.tier);
    const { assigneeIds, reviewerIds, milestoneId } = found;
    const labelIds = found.labels.all ?? [];
    const description = keptDescription(params.description ?? null);
    const container = { projectId, groupId: null };
    const called = await this.mentions.mentionedUsers(tx, description, { ...container, author });
    const tasks = taskCounts(description);
    const values = {
      ...branches,
      ...refs,
      iid: await this.iids.next(tx, projectId, 'merge_requests'),
      authorId,
      title: params.title,
      description,
      draft: isDraftTitle(params.title),
      milestoneId: milestoneId ?? null,
      squash: squashOf(params, target),
      forceRemoveSourceBranch: params.remove_source_branch ?? null,
      allowCollaboration: mayCollaborate(params, branches),
      taskCount: tasks.count,
      completedTaskCount: tasks.completed,
    };
    const times = { createdAt: clock, updatedAt: clock };
    const { generatedMaps } = await tx.insert(MergeRequest, { ...values, ...times });
    const mergeRequest = tx.create(MergeRequest, { ...values, ...generatedMaps[0] });
    const { id, iid } = mergeRequest;
    await addLabels(tx, MERGE_REQUEST, id, labelIds, authorId);
    await keepMilestone(tx, MERGE_REQUEST, id, authorId, { before: null, now: milestoneId ?? null });
    await addPeople(tx, ASSIGNEES, id, assigneeIds ?? []);
    await addPeople(tx, REVIEWERS, id, reviewerIds ?? []);
    await this.closing.recordNew(tx, mergeRequest, target.fullPath, messages);
    const mentioned = await this.mentions.recordNew(tx, { type: 'MergeRequest', id }, null, called);
    const details = {
      addedUserIds: [...new Set([...(assigneeIds ?? []), ...(reviewerIds ?? [])])],
      mentionedUserIds: mentioned,
      addedLabelIds: labelIds,
    };
    const issuable = { type: 'MergeRequest', id, iid, title: params.title } as const;
    await this.events.publish(tx, new MergeRequestChanged(mergeRequest, 'created', authorId));
    await this.events.publish(tx, new ActivityHappened('created', authorId, container, issuable, details));
    await this.events.publish(tx, issuableWritten('MergeRequest', mergeRequest, authorId));
    return { projectId, iid };
  }
}

/** By the setting of the project; the author's choice counts if the project allows it. */
function squashOf({ squash }: CreateMergeRequestParams, { settings }: MergeRequestTarget): boolean {
  const option = settings['squash_option'] ?? 'default_off';
  if (option === 'always' || option === 'never') return option === 'always';
  return squash ?? option === 'default_on';
}

/** Only branches of forks can be opened to other users. */
const mayCollaborate = (params: CreateMergeRequestParams, branches: MergeRequestBranches): boolean =>
  branches.sourceProjectId !== branches.projectId &&
  (params.allow_collaboration ?? params.allow_maintainer_to_push ?? false);
