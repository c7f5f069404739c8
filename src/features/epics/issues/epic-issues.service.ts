import { Injectable } from '@nestjs/common';
import type { Caller, UserCaller } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { conflict, HttpError, notFound } from '#kernel/http/errors.js';
import type { IssueEpicsPort } from '#core/issues/epics/issue-epics.port.js';
import { lockIssue } from '#core/issues/issue.rules.js';
import { holdContainer } from '#core/labels/reach/planning-container.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import type { EpicFacts } from '../visibility/epic.finder.js';
import { EpicIssuePolicy, type LinkableIssue } from './epic-issue.policy.js';
import { EpicIssueOrderService } from './epic-issue-order.service.js';

/** An association with its epic. */
interface Link {
  readonly id: number;
  readonly epic_id: number;
}

const LINK = 'select id, epic_id from epic_issues where issue_id = $1';
const LOCK = 'select id, group_id from epics where id = any($1::bigint[]) order by id for no key update';
const INSERT =
  'insert into epic_issues (epic_id, issue_id, relative_position) values ($1, $2, $3) returning id';
const MOVE = 'update epic_issues set epic_id = $2, relative_position = $3 where id = $1';
const IS_OPEN_IN_SECRET = `select 1 from epics e, issues i where e.id = $1 and i.id = $2 and e.confidential and not i.confidential`;
const REMOVE = 'delete from epic_issues where id = $1';

/** Types of issues that can belong to epics; tasks and test cases cannot. */
const TYPES: ReadonlySet<string> = new Set(['issue', 'incident']);

/**
 * Manages which issues belong to epics, and their order (`planning.md` 3.2). Lock order: the container of the
 * issue, the issue, then epics by id.
 */
@Injectable()
export class EpicIssuesService implements IssueEpicsPort {
  constructor(
    private readonly transactions: Transactions,
    private readonly rights: EpicIssuePolicy,
    private readonly order: EpicIssueOrderService,
    private readonly notes: SystemNotesService,
  ) {}

  /**
   * Moves an issue to the top of an epic, out of its present one, and returns the id of the association.
   * @throws 403, 404, 409, 422
   */
  async link(caller: UserCaller, epic: EpicFacts, issueId: number): Promise<number> {
    const issue = await this.rights.issueFor(caller, epic, issueId);
    assertFits(issue);
    return this.transactions.run(async (tx) => {
      const above = await holdContainer(tx, { projectId: issue.project_id });
      if (!above.includes(epic.group_id)) throw noMatch();
      await lockIssue(tx, issueId);
      const link = await linkOf(tx, issueId);
      if (link?.epic_id === epic.id) throw conflict('Issue(s) already assigned');
      return this.put(tx, caller, epic, issue, link);
    });
  }

  /**
   * Does the same for a locked issue, which may already be in that epic; null removes it from its epic,
   * unless the caller may not see that: the issue then appears to have none, and stays in it. @throws 403,
   * 404, 422
   */
  async assign(tx: Tx, caller: UserCaller, issueId: number, epicId: number | null): Promise<void> {
    const link = await linkOf(tx, issueId);
    if (epicId === (link?.epic_id ?? null)) return;
    if (epicId === null) {
      if (link && (await this.rights.reads(caller, link.epic_id))) await this.take(tx, caller, issueId, link);
      return;
    }
    const { epic, issue } = await this.rights.epicFor(tx, caller, epicId, issueId);
    assertFits(issue);
    await this.put(tx, caller, epic, issue, link);
  }

  /** Removes the issue of an association from the epic. @throws 403, 404 */
  async unlink(caller: UserCaller, epic: EpicFacts, linkId: number): Promise<void> {
    const { id: issueId } = await this.rights.issueOfLink(caller, epic, linkId);
    await this.transactions.run(async (tx) => {
      await lockIssue(tx, issueId);
      const link = await linkOf(tx, issueId);
      if (link?.id !== linkId || link.epic_id !== epic.id) throw notFound('Epic Issue');
      await this.take(tx, caller, issueId, link);
    });
  }

  /**
   * Moves an association right after `beforeId`, right before `afterId`, or between both. @throws 403, 404
   */
  async move(
    caller: UserCaller,
    epic: EpicFacts,
    linkId: number,
    beforeId: number | null,
    afterId: number | null,
  ): Promise<void> {
    await this.rights.issueOfLink(caller, epic, linkId);
    await this.transactions.run(async (tx) => {
      await lockEpics(tx, [epic.id]);
      await this.order.move(tx, epic.id, linkId, beforeId, afterId);
    });
  }

  private async put(
    tx: Tx,
    caller: Caller,
    epic: EpicFacts,
    issue: LinkableIssue,
    former: Link | null,
  ): Promise<number> {
    const { id: issueId, project_id: projectId } = issue;
    const groups = await lockEpics(tx, former ? [former.epic_id, epic.id] : [epic.id]);
    if (!groups.has(epic.id)) throw notFound('Epic');
    // A removed epic has taken its association along.
    const link = former && groups.has(former.epic_id) ? former : null;
    await assertSecret(tx, epic.id, issue);
    const position = await this.order.top(tx, epic.id);
    if (link) await this.tellEpic(tx, caller, link.epic_id, groups, 'removed');
    await this.tellEpic(tx, caller, epic.id, groups, 'added');
    await this.tellIssue(tx, caller, { issueId, projectId }, 'added');
    if (link) {
      await tx.query(MOVE, [link.id, epic.id, position]);
      return link.id;
    }
    const [row] = await tx.query<{ id: number }[]>(INSERT, [epic.id, issueId, position]);
    if (!row) throw new Error('An association has an id');
    return row.id;
  }

  private async take(tx: Tx, caller: Caller, issueId: number, link: Link): Promise<void> {
    const groups = await lockEpics(tx, [link.epic_id]);
    if (!groups.has(link.epic_id)) return;
    await tx.query(REMOVE, [link.id]);
    const [issue] = await tx.query<{ project_id: number }[]>('select project_id from issues where id = $1', [
      issueId,
    ]);
    await this.tellEpic(tx, caller, link.epic_id, groups, 'removed');
    await this.tellIssue(tx, caller, { issueId, projectId: issue?.project_id ?? null }, 'removed');
  }

  /** The epic's system note does not name the issue, which its readers may not be able to read. */
  private tellEpic(
    tx: Tx,
    { actor }: Caller,
    id: number,
    groups: ReadonlyMap<number, number>,
    what: 'added' | 'removed',
  ): Promise<void> {
    const target = { type: 'Epic', id, projectId: null, groupId: groups.get(id) ?? null } as const;
    return this.notes.write(tx, target, actor?.id ?? null, `epic_issue_${what}`, `${what} an issue`);
  }

  private tellIssue(
    tx: Tx,
    { actor }: Caller,
    { issueId, projectId }: { issueId: number; projectId: number | null },
    what: 'added' | 'removed',
  ): Promise<void> {
    const target = { type: 'Issue', id: issueId, projectId, groupId: null } as const;
    const body = what === 'added' ? 'added to an epic' : 'removed from an epic';
    return this.notes.write(tx, target, actor?.id ?? null, `epic_${what}`, body);
  }
}

async function linkOf(tx: Tx, issueId: number): Promise<Link | null> {
  return (await tx.query<Link[]>(LINK, [issueId]))[0] ?? null;
}

/** Locks epics; returns their groups by id. */
async function lockEpics(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.query<{ id: number; group_id: number }[]>(LOCK, [ids]);
  return new Map(rows.map((row) => [row.id, row.group_id]));
}

/** Asserts that the epic can have the issue at all. @throws 404 */
function assertFits(issue: LinkableIssue): void {
  if (!issue.is_in_group || !TYPES.has(issue.issue_type)) throw noMatch();
}

const noMatch = (): HttpError =>
  new HttpError(404, {
    message: 'No matching issue found. Make sure that you are adding a valid issue URL.',
  });

/**
 * Asserts, under the locks of both, that the issue is not visible to more users than the epic. @throws 422
 */
async function assertSecret(
  tx: Tx,
  epicId: number,
  { id, full_path: path, iid }: LinkableIssue,
): Promise<void> {
  const found = await tx.query<unknown[]>(IS_OPEN_IN_SECRET, [epicId, id]);
  if (found.length > 0)
    throw new HttpError(422, {
      message: `${path}#${iid} cannot be added: A non-confidential issue cannot be assigned to a confidential epic`,
    });
}
