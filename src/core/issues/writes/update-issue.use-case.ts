import { Injectable } from '@nestjs/common';
import type { UserCaller, ProjectCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { changeRow } from '#kernel/database/statements/rows.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { hasChange, requireChange } from '#kernel/http/fields/require-change.js';
import {
  ActivityHappened,
  type ActivityAction,
  type ActivityDetails,
} from '#core/activity/activity-happened.event.js';
import { issuableWritten } from '#core/activity/text-written.event.js';
import { replacePeople } from '#core/issuables/assignees.js';
import { labelNote, milestoneNote, peopleNote, type ChangeNote } from '#core/issuables/change-notes.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { changeLabels, type NamedLabels } from '#core/issuables/label-links.js';
import { keepMilestone } from '#core/issuables/resource-events/write-resource-events.js';
import { assertTitle } from '#core/issuables/text.rules.js';
import { holdContainer } from '#core/labels/reach/planning-container.js';
import { MentionsService, type MentionedUser } from '#core/notes/participants/mentions.service.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { IssueFinder, rightsOnAll, type FoundIssue, type IssueRights } from '../issue.finder.js';
import { columnChanges, type IssueChange } from './issue-changes.js';
import { IssueEpicsPort } from '../epics/issue-epics.port.js';
import { assertSecretWithEpic } from '../epics/secret-epic.rules.js';
import { IssueRelationsService } from './issue-relations.service.js';
import { issueTarget, lockIssue, lockNumberedIssue } from '../issue.rules.js';
import { Issue } from '../issue.entity.js';
import type { IssueRow } from '../issue.record.js';
import { IssuesQueries } from '../issues.queries.js';
import { IssuesService } from '../issues.service.js';
import type { UpdateIssueParams } from '../issues.params.js';

const PEOPLE = { table: 'issue_assignees', key: 'issue_id' } as const;

/** A change of a locked issue. */
interface Work {
  readonly tx: Tx;
  readonly caller: UserCaller;
  readonly actorId: number;
  readonly issue: Issue;
  readonly params: IssueChange;
}

/**
 * Limit of characters of a description read on a connection for writes: longer ones are read under the limits
 * of large answers.
 */
const MAX_DESCRIPTION = 50_000;

const mayBeRead = (issue: Issue, { description }: IssueChange): boolean =>
  (description ?? issue.description ?? '').length <= MAX_DESCRIPTION;

/** Parameters that are checked before the issue is locked: a missing issue must be reported before their errors. */
const LOOKED_AT = [
  'labels',
  'add_labels',
  'remove_labels',
  'milestone_id',
  'assignee_id',
  'assignee_ids',
  'epic_id',
] as const;

const isLookedAt = (params: IssueChange): boolean =>
  params.title?.trim() === '' || LOOKED_AT.some((name) => params[name] !== undefined);

/** Updates issues (`planning.md` 5.2). */
@Injectable()
export class UpdateIssue {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly access: IssueFinder,
    private readonly issues: IssuesService,
    private readonly relations: IssueRelationsService,
    private readonly mentions: MentionsService,
    private readonly notes: SystemNotesService,
    private readonly epics: IssueEpicsPort,
    private readonly queries: IssuesQueries,
  ) {}

  /** Updates an issue with those of the parameters that the caller may change. @throws 400, 403, 404 */
  async update(caller: UserCaller & ProjectCaller, params: IssueChange): Promise<void> {
    await this.change(caller, params, () => Promise.resolve());
  }

  /** Updates an issue and returns it as the caller reads it; null if it is too large to read on a connection for writes. */
  async updated(caller: UserCaller & ProjectCaller, params: IssueChange): Promise<IssueRow | null> {
    const row = await this.change(caller, params, async ({ tx, issue }) =>
      mayBeRead(issue, params) ? await this.queries.written(tx, issue.id, caller.actor) : null,
    );
    return row && row();
  }

  /** Updates an issue; calls `last` at the end of the transaction. */
  private async change<T>(
    caller: UserCaller & ProjectCaller,
    params: IssueChange,
    last: (work: Work) => Promise<T>,
  ): Promise<T> {
    const { issue_iid: iid } = params;
    const isEmpty = !hasChange(params, 'issue_iid');
    // If the caller has the same rights on all issues, skip the look-up: the locked row has all other facts.
    const sure = isEmpty || isLookedAt(params) ? null : rightsOnAll(caller);
    const found = sure ? null : await this.access.toChange(caller, iid, 'update');
    const rights = sure ?? (found as FoundIssue).rights;
    const { id: projectId } = caller.subject;
    requireChange(params, 'issue_iid');
    assertTitle(params.title);
    return this.transactions.run(async (tx) => {
      const author = caller.actor;
      const { id: actorId } = author;
      const plan: Partial<UpdateIssueParams> = rights.plan ? params : {};
      if (plan.epic_id) await holdContainer(tx, { projectId });
      const names = await this.labelIds(tx, projectId, plan, caller.role);
      const milestoneId = await this.relations.milestone(tx, projectId, plan.milestone_id);
      const assigneeIds = await this.relations.assignees(tx, projectId, plan, caller.tier);
      const container = { projectId, groupId: null, author };
      const called = await this.mentions.askFor(tx, params.description ?? null, container);
      const issue = await (found ? lockIssue(tx, found.facts.id) : lockNumberedIssue(tx, projectId, iid));
      const work = { tx, caller, actorId, issue, params };
      await this.changeColumns(work, rights, milestoneId, await called());
      const isTouched = [await this.changeLabels(work, names), await this.changeAssignees(work, assigneeIds)];
      await this.changeState(work);
      isTouched.push(await this.changeEpic(work, rights));
      if (params.confidential === false) await assertSecretWithEpic(tx, issue.id);
      const at = caller.role >= Role.Owner ? params.updated_at : undefined;
      if (at) await changeRow(tx, Issue, issue.id, { updatedAt: at });
      else if (isTouched.includes(true)) await changeRow(tx, Issue, issue.id, { updatedAt: clock });
      return last(work);
    });
  }

  /** Resolves names of labels to ids; null for lists not given. */
  private async labelIds(
    tx: Tx,
    projectId: number,
    { labels, add_labels: add, remove_labels: remove }: Partial<UpdateIssueParams>,
    role: Role,
  ): Promise<NamedLabels> {
    return {
      all: labels === undefined ? null : await this.relations.labelIds(tx, projectId, labels ?? [], role),
      add: await this.relations.labelIds(tx, projectId, add ?? [], role),
      remove: await this.relations.labelIds(tx, projectId, remove ?? [], Role.Guest),
    };
  }

  private async changeColumns(
    work: Work,
    rights: IssueRights,
    milestoneId: number | null | undefined,
    mentionedUsers: readonly MentionedUser[],
  ): Promise<void> {
    const { tx, caller, issue, params } = work;
    const { columns, notes } = columnChanges(issue, params, rights, caller.tier);
    const said = [...notes];
    if (milestoneId !== undefined && milestoneId !== issue.milestoneId) {
      columns.milestoneId = milestoneId;
      said.push(await milestoneNote(tx, milestoneId));
    }
    if (Object.keys(columns).length === 0) return;
    await changeRow(tx, Issue, issue.id, { ...columns, updatedAt: clock });
    if (columns.milestoneId !== undefined)
      await keepMilestone(tx, ISSUE, issue.id, work.actorId, {
        before: issue.milestoneId,
        now: columns.milestoneId,
      });
    for (const note of said) await this.write(work, note);
    if (columns.title !== undefined || columns.description !== undefined)
      await this.events.publish(tx, issuableWritten('Issue', issue, work.actorId, columns));
    if (columns.description === undefined) return;
    const mentioned = await this.mentions.record(tx, { type: 'Issue', id: issue.id }, null, mentionedUsers);
    if (mentioned.length > 0) await this.tell(work, 'mentioned', { mentionedUserIds: mentioned });
  }

  private async changeLabels(work: Work, named: NamedLabels): Promise<boolean> {
    const { tx, actorId, issue } = work;
    const change = await changeLabels(tx, ISSUE, issue.id, named, actorId);
    const note = change && labelNote(change);
    if (!note) return false;
    await this.write(work, note);
    if (change.addedIds.length > 0) await this.tell(work, 'relabeled', { addedLabelIds: change.addedIds });
    return true;
  }

  private async changeAssignees(work: Work, userIds: readonly number[] | null): Promise<boolean> {
    if (userIds === null) return false;
    const { added, removed } = await replacePeople(work.tx, PEOPLE, work.issue.id, userIds);
    const note = await peopleNote(work.tx, { added, removed });
    if (!note) return false;
    await this.write(work, note);
    await this.tell(work, 'reassigned', { addedUserIds: added, removedUserIds: removed });
    return true;
  }

  private async changeState({ tx, actorId, issue, params }: Work): Promise<void> {
    const { state_event: event } = params;
    if (event === 'close') await this.issues.close(tx, issue, actorId);
    else if (event) await this.issues.reopen(tx, issue, actorId);
  }

  private async changeEpic({ tx, caller, issue, params }: Work, rights: IssueRights): Promise<boolean> {
    const { epic_id: epicId } = params;
    if (epicId === undefined || caller.tier < Tier.Premium || !rights.plan) return false;
    await this.epics.assign(tx, caller, issue.id, epicId === 0 ? null : epicId);
    return true;
  }

  private write({ tx, actorId, issue }: Work, { action, body }: ChangeNote): Promise<void> {
    const target = { type: 'Issue', id: issue.id, projectId: issue.projectId, groupId: null } as const;
    return this.notes.write(tx, target, actorId, action, body);
  }

  private tell(
    { tx, actorId, issue, params }: Work,
    action: ActivityAction,
    details: ActivityDetails,
  ): Promise<void> {
    const target = issueTarget({ id: issue.id, iid: issue.iid, title: params.title ?? issue.title });
    const container = { projectId: issue.projectId, groupId: null };
    return this.events.publish(tx, new ActivityHappened(action, actorId, container, target, details));
  }
}
