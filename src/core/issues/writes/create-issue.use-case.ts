import { Injectable } from '@nestjs/common';
import type { UserCaller, ProjectCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { conflict } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { issuableWritten } from '#core/activity/text-written.event.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { addPeople } from '#core/issuables/assignees.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { addLabels } from '#core/issuables/label-links.js';
import { keepMilestone } from '#core/issuables/resource-events/write-resource-events.js';
import { assertTitle, keptDescription } from '#core/issuables/text.rules.js';
import { holdContainer } from '#core/labels/reach/planning-container.js';
import { MentionsService } from '#core/notes/participants/mentions.service.js';
import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { taskCounts } from '#core/notes/markdown/task-counts.js';
import { CreationLimit } from '#core/instance/limits/creation.limit.js';
import { findDiscussionsToResolve, resolvedText, resolveDiscussions } from './discussions-to-resolve.js';
import { IssueEpicsPort } from '../epics/issue-epics.port.js';
import { IssueRelationsService } from './issue-relations.service.js';
import { issueTarget } from '../issue.rules.js';
import { insertIssue, type NewIssue } from '../insert-issue.js';
import type { IssueRow } from '../issue.record.js';
import type { CreateIssueParams } from '../issues.params.js';
import { IssuesQueries } from '../issues.queries.js';

const PEOPLE = { table: 'issue_assignees', key: 'issue_id' } as const;

/** Creates issues (`planning.md` 5.2). */
@Injectable()
export class CreateIssue {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly iids: InternalIdsService,
    private readonly limits: CreationLimit,
    private readonly relations: IssueRelationsService,
    private readonly mentions: MentionsService,
    private readonly epics: IssueEpicsPort,
    private readonly noteables: NoteableRegistry,
    private readonly notes: SystemNotesService,
    private readonly links: Links,
    private readonly queries: IssuesQueries,
  ) {}

  /** Counts an issue against the rate limit of its author; call it outside of transactions, which must not wait for the counter. @throws 429 */
  admit({ actor }: UserCaller): Promise<void> {
    return this.limits.admit('issues_create_limit', actor.id);
  }

  /**
   * Creates an issue as an author whose rights were checked, and returns it as they see it. Only members may
   * set planning attributes; guests may do so only at creation. @throws 400, 409
   */
  async create(caller: UserCaller & ProjectCaller, params: CreateIssueParams): Promise<IssueRow> {
    assertTitle(params.title);
    try {
      const created = await this.transactions.run((tx) => this.insert(tx, caller, params));
      return await created();
    } catch (error) {
      if (violatedConstraint(error) === 'issues_project_iid') throw conflict('Duplicated issue');
      throw error;
    }
  }

  private async insert(
    tx: Tx,
    caller: UserCaller & ProjectCaller,
    params: CreateIssueParams,
  ): Promise<() => Promise<IssueRow>> {
    const { role, tier } = caller;
    const { id: projectId } = caller.subject;
    const author = caller.actor;
    const { id: authorId } = author;
    const followed = await findDiscussionsToResolve(tx, this.noteables, caller, params);
    const isMember = role >= Role.Guest;
    const isOwner = role >= Role.Owner;
    const plan: Partial<CreateIssueParams> = isMember ? params : {};
    if (plan.epic_id) await holdContainer(tx, { projectId });
    const labels = await this.relations.askForLabels(tx, projectId, plan.labels ?? [], role);
    const milestoneId = await this.relations.milestone(tx, projectId, plan.milestone_id);
    const assigneeIds = (await this.relations.assignees(tx, projectId, plan, tier)) ?? [];
    const labelIds = await labels();
    const given = params.description ?? (followed && resolvedText(followed, this.links));
    const description = keptDescription(given ?? null);
    const container = { projectId, groupId: null, author };
    const called = await this.mentions.askFor(tx, description, container);
    const tasks = taskCounts(description);
    const iid = isOwner && params.iid !== undefined ? params.iid : null;
    if (iid !== null) await this.iids.take(tx, projectId, 'issues', iid);
    const isPremium = tier >= Tier.Premium;
    const values: NewIssue = {
      projectId,
      authorId,
      title: params.title,
      description,
      taskCount: tasks.count,
      completedTaskCount: tasks.completed,
      confidential: params.confidential ?? false,
      issueType: params.issue_type ?? 'issue',
      discussionLocked: role >= Role.Reporter ? (params.discussion_locked ?? null) : null,
      milestoneId: milestoneId ?? null,
      dueDate: plan.due_date ?? null,
      weight: isPremium ? (plan.weight ?? null) : null,
      healthStatus: isPremium ? (plan.health_status ?? null) : null,
      createdAt: (isOwner ? params.created_at : undefined) ?? null,
    };
    const { id, iid: number } = await insertIssue(tx, values, iid);
    const mentionedUsers = await called();
    await addLabels(tx, ISSUE, id, labelIds, authorId);
    await keepMilestone(tx, ISSUE, id, authorId, { before: null, now: milestoneId ?? null });
    await addPeople(tx, PEOPLE, id, assigneeIds);
    const mentioned = await this.mentions.recordNew(tx, { type: 'Issue', id }, null, mentionedUsers);
    const confidential = params.confidential ?? false;
    if (tier >= Tier.Premium && plan.epic_id) await this.epics.assign(tx, caller, id, plan.epic_id);
    const details = {
      addedUserIds: assigneeIds,
      mentionedUserIds: mentioned,
      addedLabelIds: labelIds,
    };
    if (followed) await resolveDiscussions(tx, this.notes, followed, authorId, { iid: number, confidential });
    const target = issueTarget({ id, iid: number, title: params.title });
    const at = { projectId, groupId: null };
    await this.events.publish(tx, new ActivityHappened('created', authorId, at, target, details));
    const said = { id, title: params.title, description };
    await this.events.publish(tx, issuableWritten('Issue', said, authorId));
    return this.queries.created(tx, id);
  }
}
