import { Injectable } from '@nestjs/common';
import type { UserCaller, ProjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { badRequest, forbidden, notFound } from '#kernel/http/errors.js';
import { ActivityHappened, type ActivityDetails } from '#core/activity/activity-happened.event.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import { keepState } from '#core/issuables/resource-events/write-resource-events.js';
import { holdContainer } from '#core/labels/reach/planning-container.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { CreationLimit } from '#core/instance/limits/creation.limit.js';
import { IssueFinder } from '../issue.finder.js';
import { copyResourceEvents } from './copy-resource-events.js';
import { IssueCopyService } from './issue-copy.service.js';
import { issueTarget, lockIssue } from '../issue.rules.js';
import { Issue } from '../issue.entity.js';
import type { CloneIssueParams, MoveIssueParams } from '../issues.params.js';

const IS_ARCHIVED = 'select archived from projects where id = $1 and not pending_delete';

/** Moves issues to other projects, and clones them. */
@Injectable()
export class MoveIssue {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly access: IssueFinder,
    private readonly readers: ProjectReadersQueries,
    private readonly limits: CreationLimit,
    private readonly copies: IssueCopyService,
    private readonly notes: SystemNotesService,
  ) {}

  /**
   * Copies the issue to another project with everything that belongs to it, closes it here, and returns the
   * id of the new one. @throws 400, 403, 404, 429
   */
  async move(caller: UserCaller & ProjectCaller, params: MoveIssueParams): Promise<number> {
    const { id: projectId } = caller.subject;
    const target = params.to_project_id;
    const { facts } = await this.access.toChange(caller, params.issue_iid, 'plan');
    if (target === projectId) throw badRequest('Cannot move issue to project it originates from!');
    const actorId = await this.admit(caller, target);
    await this.limits.admit('issues_create_limit', actorId);
    return this.transactions.run(async (tx) => {
      await holdContainer(tx, { projectId: target });
      const issue = await lockIssue(tx, facts.id);
      if (issue.movedToId !== null) throw badRequest('Cannot move issue that has been moved already!');
      const { authorId, createdAt } = issue;
      const hasClosedIt = issue.state === 'opened';
      const moved = await this.copies.copy(tx, issue, target, { authorId, createdAt });
      await this.copies.copyNotes(tx, issue.id, moved);
      await this.copies.copyRest(tx, issue, moved);
      await copyResourceEvents(tx, issue.id, moved);
      await tx.update(
        Issue,
        { id: issue.id },
        {
          movedToId: moved.id,
          ...(hasClosedIt ? { state: 'closed', closedAt: clock, closedById: actorId } : {}),
          updatedAt: clock,
        },
      );
      if (hasClosedIt) await keepState(tx, ISSUE, issue.id, actorId, 'closed');
      await this.write(tx, issue, actorId, 'moved to another project');
      await this.write(tx, moved, actorId, 'moved from another project');
      const movedTo = { projectId: target, target: issueTarget(moved), hasClosedIt };
      await this.tell(tx, 'moved', actorId, issue, { movedTo });
      return moved.id;
    });
  }

  /**
   * Clones the issue in a project as the caller, and returns the id of the clone. @throws 400, 403, 404, 429
   */
  async clone(caller: UserCaller & ProjectCaller, params: CloneIssueParams): Promise<number> {
    const { id: projectId } = caller.subject;
    const { facts } = await this.access.toChange(caller, params.issue_iid, 'plan');
    const target = params.to_project_id;
    const actorId = target === projectId ? caller.actor.id : await this.admit(caller, target);
    await this.limits.admit('issues_create_limit', actorId);
    return this.transactions.run(async (tx) => {
      await holdContainer(tx, { projectId: target });
      const issue = await lockIssue(tx, facts.id);
      const copy = await this.copies.copy(tx, issue, target, { authorId: actorId });
      if (params.with_notes) {
        await this.copies.copyNotes(tx, issue.id, copy);
        await copyResourceEvents(tx, issue.id, copy);
      }
      await this.tell(tx, 'created', actorId, copy);
      return copy.id;
    });
  }

  /** Asserts the right to plan in the other project. @throws 403, 404 if the caller cannot see it */
  private async admit({ actor }: UserCaller, projectId: number): Promise<number> {
    const { id } = actor;
    const role = await this.readers.roleOf(actor, projectId, 'issues', Role.Guest);
    if (role === null) throw notFound('Project');
    if (role < Role.Reporter) throw forbidden();
    await this.transactions.run(async (tx) => {
      const [project] = await tx.query<{ archived: boolean }[]>(IS_ARCHIVED, [projectId]);
      if (!project) throw notFound('Project');
      if (project.archived) throw forbidden();
    });
    return id;
  }

  private write(tx: Tx, { id, projectId }: Issue, actorId: number, body: string): Promise<void> {
    return this.notes.write(tx, { type: 'Issue', id, projectId, groupId: null }, actorId, 'moved', body);
  }

  private tell(
    tx: Tx,
    action: 'moved' | 'created',
    actorId: number,
    issue: Issue,
    details: ActivityDetails = {},
  ): Promise<void> {
    const container = { projectId: issue.projectId, groupId: null };
    return this.events.publish(
      tx,
      new ActivityHappened(action, actorId, container, issueTarget(issue), details),
    );
  }
}
