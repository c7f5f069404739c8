import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import {
  ActivityHappened,
  type ActivityAction,
  type ActivityDetails,
} from '#core/activity/activity-happened.event.js';
import { issuableWritten } from '#core/activity/text-written.event.js';
import { replacePeople } from '#core/issuables/assignees.js';
import { labelNote, milestoneNote, peopleNote, type ChangeNote } from '#core/issuables/change-notes.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { changeLabels } from '#core/issuables/label-links.js';
import { keepMilestone } from '#core/issuables/resource-events/write-resource-events.js';
import { MentionsService, type MentionedUser } from '#core/notes/participants/mentions.service.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { ClosingIssuesService } from '../closing/closing-issues.service.js';
import { noteTarget } from '../code/merge-request-activity.js';
import { columnChanges } from './merge-request-columns.sql.js';
import type { NamedRelations } from './merge-request-relations.service.js';
import { MergeRequest } from '../merge-request.entity.js';
import { ASSIGNEES, REVIEWERS } from '../merge-request.row.js';
import type { UpdateMergeRequestParams } from '../merge-requests.params.js';

/** An update of a locked merge request. */
export interface ChangeWork {
  readonly tx: Tx;
  readonly actorId: number;
  readonly mergeRequest: MergeRequest;
  readonly params: UpdateMergeRequestParams;
  readonly projectPath: string;
}

const REVIEW_WORDS = {
  action: 'reviewer',
  added: 'requested review from',
  removed: 'removed review request for',
};

/** Parts of an update of a merge request; each returns whether it has changed anything. */
@Injectable()
export class MergeRequestChangesService {
  constructor(
    private readonly events: DomainEvents,
    private readonly mentions: MentionsService,
    private readonly notes: SystemNotesService,
    private readonly closing: ClosingIssuesService,
  ) {}

  /** Returns the users that a new description mentions. */
  async mentionedUsers(
    tx: Tx,
    projectId: number,
    author: Actor,
    { description }: UpdateMergeRequestParams,
  ): Promise<MentionedUser[]> {
    const container = { projectId, groupId: null, author };
    return description ? this.mentions.mentionedUsers(tx, description, container) : [];
  }

  /** Updates title, description and other columns. */
  async columns(
    work: ChangeWork,
    milestoneId: number | null | undefined,
    mentionedUsers: readonly MentionedUser[],
    mayPlan: boolean,
  ): Promise<boolean> {
    const { tx, mergeRequest, params } = work;
    const { columns, notes } = columnChanges(mergeRequest, params, mayPlan);
    const said = [...notes];
    if (milestoneId !== undefined && milestoneId !== mergeRequest.milestoneId) {
      columns.milestoneId = milestoneId;
      said.push(await milestoneNote(tx, milestoneId));
    }
    if (Object.keys(columns).length === 0) return false;
    const { id } = mergeRequest;
    await tx.update(MergeRequest, { id }, columns);
    if (columns.milestoneId !== undefined)
      await keepMilestone(tx, MERGE_REQUEST, id, work.actorId, {
        before: mergeRequest.milestoneId,
        now: columns.milestoneId,
      });
    Object.assign(mergeRequest, columns);
    for (const note of said) await this.write(work, note);
    if (columns.title !== undefined || columns.description !== undefined) {
      await this.closing.refresh(tx, mergeRequest, work.projectPath);
      await this.events.publish(tx, issuableWritten('MergeRequest', mergeRequest, work.actorId));
    }
    if (columns.description === undefined) return true;
    const mentioned = await this.mentions.record(tx, { type: 'MergeRequest', id }, null, mentionedUsers);
    if (mentioned.length > 0) await this.tell(work, 'mentioned', { mentionedUserIds: mentioned });
    return true;
  }

  /** Updates labels. */
  async labels(work: ChangeWork, named: NamedRelations): Promise<boolean> {
    const { tx, actorId, mergeRequest } = work;
    const change = await changeLabels(tx, MERGE_REQUEST, mergeRequest.id, named.labels, actorId);
    const note = change && labelNote(change);
    if (!note) return false;
    await this.write(work, note);
    if (change.addedIds.length > 0) await this.tell(work, 'relabeled', { addedLabelIds: change.addedIds });
    return true;
  }

  /** Updates assignees and reviewers. */
  async people(work: ChangeWork, { assigneeIds, reviewerIds }: NamedRelations): Promise<boolean> {
    const { tx, mergeRequest } = work;
    const assigned = assigneeIds && (await replacePeople(tx, ASSIGNEES, mergeRequest.id, assigneeIds));
    const asked = reviewerIds && (await replacePeople(tx, REVIEWERS, mergeRequest.id, reviewerIds));
    const assignedNote = assigned && (await peopleNote(tx, assigned));
    const askedNote = asked && (await peopleNote(tx, asked, REVIEW_WORDS));
    if (assignedNote) {
      await this.write(work, assignedNote);
      const { added, removed } = assigned;
      await this.tell(work, 'reassigned', { addedUserIds: added, removedUserIds: removed });
    }
    if (askedNote) {
      await this.write(work, askedNote);
      const { added, removed } = asked;
      await this.tell(work, 'review_requested', { addedUserIds: added, removedUserIds: removed });
    }
    return assignedNote !== null || askedNote !== null;
  }

  private write({ tx, actorId, mergeRequest }: ChangeWork, { action, body }: ChangeNote): Promise<void> {
    return this.notes.write(tx, noteTarget(mergeRequest), actorId, action, body);
  }

  private tell(
    { tx, actorId, mergeRequest }: ChangeWork,
    action: ActivityAction,
    details: ActivityDetails,
  ): Promise<void> {
    const { id, iid, title, projectId } = mergeRequest;
    const target = { type: 'MergeRequest', id, iid, title } as const;
    const container = { projectId, groupId: null };
    return this.events.publish(tx, new ActivityHappened(action, actorId, container, target, details));
  }
}
