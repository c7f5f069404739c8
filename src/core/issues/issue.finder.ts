import { Injectable } from '@nestjs/common';
import type { Caller, ProjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { hasSourcesSql } from '#core/notes/note-origins.service.js';

/** What rights on an issue depend on. */
export interface IssueFacts {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly author_id: number | null;
  readonly confidential: boolean;
  readonly discussion_locked: boolean | null;
  readonly is_assignee: boolean;
  /** As `Noteable` has it. */
  readonly has_sources: boolean;
}

/** What a caller may do with an issue that they see. */
export interface IssueRights {
  readonly read: boolean;
  /** Title, description, state. */
  readonly update: boolean;
  /** Labels, milestone, assignees, dates, and what is confidential. */
  readonly plan: boolean;
  readonly remove: boolean;
}

/** An issue with what the caller may do with it. */
export interface FoundIssue {
  readonly facts: IssueFacts;
  readonly rights: IssueRights;
}

const FACTS = `select i.id, i.iid, i.project_id, i.title, i.author_id, i.confidential, i.discussion_locked,
    exists (select 1 from issue_assignees va where va.issue_id = i.id and va.user_id = $3::bigint) as is_assignee,
    ${hasSourcesSql('Issue', 'i.id')} as has_sources
  from issues i where i.project_id = $1 and i.iid = $2`;

/** The rights of a caller whom the guards have let into the project of the issue (`planning.md` 5.2). */
export function rightsOn(issue: IssueFacts, { actor, role }: Caller): IssueRights {
  const plan = role >= Role.Reporter;
  const takesPart = actor !== null && (issue.author_id === actor.id || issue.is_assignee);
  return {
    read: !issue.confidential || plan || takesPart,
    update: plan || takesPart,
    plan,
    remove: role >= Role.Owner,
  };
}

/** The same on every issue of the project; null where it depends on the issue. */
export const rightsOnAll = ({ role }: Caller): IssueRights | null =>
  role >= Role.Reporter ? { read: true, update: true, plan: true, remove: role >= Role.Owner } : null;

/** Finds single issues for callers. */
@Injectable()
export class IssueFinder {
  constructor(private readonly database: ReadDatabase) {}

  /** The issue of that number in the project of the caller, with their rights. @throws 404 */
  async find(caller: ProjectCaller, iid: number): Promise<FoundIssue> {
    const { id } = caller.subject;
    const facts = await this.database.one<IssueFacts>(FACTS, [id, iid, caller.actor?.id ?? null]);
    if (!facts) throw notFound('Issue');
    return { facts, rights: rightsOn(facts, caller) };
  }

  /** One to read: what the caller may not read does not exist for them. @throws 404 */
  async toRead(caller: ProjectCaller, iid: number): Promise<IssueFacts> {
    const { facts, rights } = await this.find(caller, iid);
    if (!rights.read) throw notFound('Issue');
    return facts;
  }

  /** One to change. @throws 404 for whoever may not read it, 403 for whoever reads it only */
  async toChange(caller: ProjectCaller, iid: number, right: keyof IssueRights): Promise<FoundIssue> {
    const { facts, rights } = await this.find(caller, iid);
    if (!rights.read) throw notFound('Issue');
    if (!rights[right]) throw forbidden();
    return { facts, rights };
  }
}
