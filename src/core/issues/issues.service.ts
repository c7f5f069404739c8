import { Injectable } from '@nestjs/common';
import type { ProjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { changeRow } from '#kernel/database/statements/rows.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { stateNote, type ChangeNote } from '#core/issuables/change-notes.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import { keepState, type StateSource } from '#core/issuables/resource-events/write-resource-events.js';
import { originText, type NamedOrigin } from '#core/issuables/origin-text.js';
import type { NoteOrigin } from '#core/notes/note-origins.service.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { IssueFinder } from './issue.finder.js';
import { issueTarget, lockIssue } from './issue.rules.js';
import { Issue } from './issue.entity.js';

const LOCK_ALL = `select i.id, i.project_id, p.full_path, i.author_id, exists (select 1 from issue_assignees va where va.issue_id = i.id and va.user_id = $2) as is_assignee
  from issues i join projects p on p.id = i.project_id and not p.archived and not p.pending_delete
  where i.id = any($1::bigint[]) and i.state = 'opened' order by i.id for no key update of i`;

interface OpenIssue {
  readonly id: number;
  readonly project_id: number;
  readonly full_path: string;
  readonly author_id: number | null;
  readonly is_assignee: boolean;
}

/** System note of a change, with the object elsewhere that it refers to. */
type ToldChange = ChangeNote & { readonly source?: NoteOrigin; readonly by?: StateSource | undefined };

/** Source of a state event; undefined for objects of other projects, which readers of the event may not be able to see. */
const stateSource = ({ type, id, sha, path }: NamedOrigin, ownPath: string): StateSource | undefined =>
  path === ownPath ? { mergeRequestId: type === 'MergeRequest' ? id : null, commit: sha || null } : undefined;

/** Closes, reopens and removes issues. */
@Injectable()
export class IssuesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly notes: SystemNotesService,
    private readonly iids: InternalIdsService,
    private readonly access: IssueFinder,
    private readonly readers: ProjectReadersQueries,
  ) {}

  /** Closes a locked issue with a system note, or with `note`; does nothing if it is closed. */
  async close(
    tx: Tx,
    issue: Issue,
    actorId: number | null,
    note: ToldChange = stateNote('closed'),
  ): Promise<void> {
    if (issue.state === 'closed') return;
    const change = { state: 'closed', closedAt: clock, closedById: actorId, updatedAt: clock } as const;
    await changeRow(tx, Issue, issue.id, change);
    await keepState(tx, ISSUE, issue.id, actorId, 'closed', note.by);
    await this.tell(tx, issue, actorId, 'closed', note);
  }

  /** Reopens a locked issue; does nothing if it is open. */
  async reopen(tx: Tx, issue: Issue, actorId: number | null): Promise<void> {
    if (issue.state === 'opened') return;
    const change = { state: 'opened', closedAt: null, closedById: null, updatedAt: clock } as const;
    await changeRow(tx, Issue, issue.id, change);
    await keepState(tx, ISSUE, issue.id, actorId, 'reopened');
    await this.tell(tx, issue, actorId, 'reopened', stateNote('reopened'));
  }

  /**
   * Closes those of the issues that a user may close, because of an action elsewhere such as a merge; returns
   * their ids. Those of archived projects stay as they are.
   */
  async closeAll(tx: Tx, issueIds: readonly number[], actorId: number, by: NamedOrigin): Promise<number[]> {
    const open = await tx.query<OpenIssue[]>(LOCK_ALL, [issueIds, actorId]);
    const closed: number[] = [];
    for (const { id, project_id: projectId, full_path: path, ...issue } of open) {
      const role = (await this.readers.among(projectId, [actorId], 'issues', Role.Guest)).get(actorId);
      const takesPart = issue.author_id === actorId || issue.is_assignee;
      if (role === undefined || !(role >= Role.Reporter || takesPart)) continue;
      const body = `closed via ${originText(by, path)}`;
      const note = { action: 'closed', body, source: by, by: stateSource(by, path) };
      await this.close(tx, await lockIssue(tx, id), actorId, note);
      closed.push(id);
    }
    return closed;
  }

  /** Removes an issue of the caller's project. @throws 403, 404, 412 */
  async remove(caller: ProjectCaller, iid: number, unmodified: UnmodifiedCheck): Promise<void> {
    const { facts } = await this.access.toChange(caller, iid, 'remove');
    const { id } = facts;
    await this.transactions.run(async (tx) => {
      const issue = await lockIssue(tx, id);
      unmodified(issue.updatedAt);
      await tx.delete(Issue, { id });
      await this.iids.removed(tx, issue.projectId, 'issues', 1);
    });
  }

  private async tell(
    tx: Tx,
    issue: Issue,
    actorId: number | null,
    action: 'closed' | 'reopened',
    note: ToldChange,
  ): Promise<void> {
    const { id, projectId } = issue;
    await this.notes.write(
      tx,
      { type: 'Issue', id, projectId, groupId: null },
      actorId,
      note.action,
      note.body,
      note.source,
    );
    const container = { projectId, groupId: null };
    await this.events.publish(tx, new ActivityHappened(action, actorId, container, issueTarget(issue)));
  }
}
