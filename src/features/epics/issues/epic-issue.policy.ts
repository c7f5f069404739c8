import { Injectable } from '@nestjs/common';
import type { Caller, UserCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden, HttpError, notFound } from '#kernel/http/errors.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import type { EpicFacts } from '../visibility/epic.finder.js';
import { EpicNoteableContribution } from '../visibility/epic-noteable.contribution.js';

/** An issue to add to an epic, or to remove from it. */
export interface LinkableIssue {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly full_path: string;
  readonly confidential: boolean;
  readonly issue_type: string;
  /** Whether its project is archived. */
  readonly archived: boolean;
  /** Whether its project is in the group of the epic, or below. */
  readonly is_in_group: boolean;
  /** The caller's role in the project. */
  readonly role: Role;
}

const ISSUE = `select i.id, i.iid, i.project_id, p.full_path, i.confidential, i.issue_type, p.archived, n.traversal_ids @> array[$2::bigint] as is_in_group,
    ${projectRoleSql('$3::bigint', 'p', 'n')} as role
  from issues i join projects p on p.id = i.project_id and not p.pending_delete join namespaces n on n.id = p.namespace_id where i.id = $1`;

const EPIC = `select e.id, e.iid, e.group_id, e.title, e.author_id, e.confidential, ${groupRoleSql('$2::bigint', 'n')} as role
  from epics e join namespaces n on n.id = e.group_id and not n.pending_delete where e.id = $1`;

const LINK = 'select issue_id from epic_issues where id = $1 and epic_id = $2';

/** Guests of both may link; confidential ones require Reporter (`decisions.md` 3). */
const leastFor = (confidential: boolean): Role => (confidential ? Role.Reporter : Role.Guest);

const isAdmin = (caller: Caller): boolean => caller.actor?.admin === true;

/** Decides who may link issues and epics. */
@Injectable()
export class EpicIssuePolicy {
  constructor(
    private readonly database: ReadDatabase,
    private readonly noteables: NoteableRegistry,
    private readonly epics: EpicNoteableContribution,
  ) {}

  /**
   * Returns the issue, for a caller admitted to the group who can read the epic. @throws 404 if the caller
   * may not read the issue, 403
   */
  async issueFor(caller: UserCaller, epic: EpicFacts, issueId: number): Promise<LinkableIssue> {
    const { id: userId } = caller.actor;
    const issue = await this.database.one<LinkableIssue>(ISSUE, [issueId, epic.group_id, userId]);
    const readers = issue ? await this.noteables.of('Issue').readersAmong(issueId, [userId], false) : null;
    const isReader = isAdmin(caller) || readers?.has(userId) === true;
    if (!issue || (!isReader && issue.role < Role.Guest)) throw notFound('Issue');
    if (!isReader) throw notEnough();
    if (issue.archived) throw forbidden();
    const isEnough = caller.role >= leastFor(epic.confidential) && issue.role >= leastFor(issue.confidential);
    if (!isEnough && !isAdmin(caller)) throw notEnough();
    return issue;
  }

  /** Returns the issue of an association of the epic that the caller may change. @throws 403, 404 */
  async issueOfLink(caller: UserCaller, epic: EpicFacts, linkId: number): Promise<LinkableIssue> {
    const link = await this.database.one<{ issue_id: number }>(LINK, [linkId, epic.id]);
    if (!link) throw notFound('Epic Issue');
    return this.issueFor(caller, epic, link.issue_id);
  }

  /**
   * Returns an epic for a locked issue, for a caller admitted to the project who may plan the issue. @throws
   * 403, 404
   */
  async epicFor(
    tx: Tx,
    caller: UserCaller,
    epicId: number,
    issueId: number,
  ): Promise<{ epic: EpicFacts; issue: LinkableIssue }> {
    const { id: userId } = caller.actor;
    const [epic] = await tx.query<(EpicFacts & { role: Role })[]>(EPIC, [epicId, userId]);
    if (!epic || !(await this.reads(caller, epicId))) throw notFound('Epic');
    if (!isAdmin(caller) && epic.role < leastFor(epic.confidential)) throw forbidden();
    const [issue] = await tx.query<LinkableIssue[]>(ISSUE, [issueId, epic.group_id, userId]);
    if (!issue) throw notFound('Issue');
    return { epic, issue };
  }

  /** Returns whether the caller may see an epic. */
  async reads(caller: UserCaller, epicId: number): Promise<boolean> {
    const { id: userId } = caller.actor;
    return isAdmin(caller) || (await this.epics.readersAmong(epicId, [userId], false)).has(userId);
  }
}

const notEnough = (): HttpError =>
  new HttpError(403, {
    message: "Couldn't link issue. You must have at least the Guest role in both projects.",
  });
