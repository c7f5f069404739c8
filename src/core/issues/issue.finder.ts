import { Injectable } from '@nestjs/common';
import type { Caller, ProjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { hasSourcesSql } from '#core/notes/note-origins.service.js';

/** Facts of an issue that determine the rights on it. */
export interface IssueFacts {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly author_id: number | null;
  readonly confidential: boolean;
  readonly discussion_locked: boolean | null;
  readonly is_assignee: boolean;
  /** As in `Noteable`. */
  readonly has_sources: boolean;
}

/** Permissions of a caller on an issue. */
export interface IssueRights {
  readonly read: boolean;
  /** Title, description, state. */
  readonly update: boolean;
  /** Labels, milestone, assignees, dates and confidentiality. */
  readonly plan: boolean;
  readonly remove: boolean;
}

/** An issue with the permissions of the caller. */
export interface FoundIssue {
  readonly facts: IssueFacts;
  readonly rights: IssueRights;
}

const FACTS = `select i.id, i.iid, i.project_id, i.title, i.author_id, i.confidential, i.discussion_locked,
    exists (select 1 from issue_assignees va where va.issue_id = i.id and va.user_id = $3::bigint) as is_assignee,
    ${hasSourcesSql('Issue', 'i.id')} as has_sources
  from issues i where i.project_id = $1 and i.iid = $2`;

/** Returns the rights on an issue of a caller who passed the guards of its project (`planning.md` 5.2). */
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

/** Returns the rights on every issue of the project; null if they depend on the issue. */
export const rightsOnAll = ({ role }: Caller): IssueRights | null =>
  role >= Role.Reporter ? { read: true, update: true, plan: true, remove: role >= Role.Owner } : null;

/** Finds single issues for callers. */
@Injectable()
export class IssueFinder {
  constructor(private readonly database: ReadDatabase) {}

  /** Finds an issue by its number in the project, with the rights of the caller. @throws 404 */
  async find(caller: ProjectCaller, iid: number): Promise<FoundIssue> {
    const { id } = caller.subject;
    const facts = await this.database.one<IssueFacts>(FACTS, [id, iid, caller.actor?.id ?? null]);
    if (!facts) throw notFound('Issue');
    return { facts, rights: rightsOn(facts, caller) };
  }

  /** Finds an issue for reading. @throws 404 if it does not exist or the caller may not read it */
  async toRead(caller: ProjectCaller, iid: number): Promise<IssueFacts> {
    const { facts, rights } = await this.find(caller, iid);
    if (!rights.read) throw notFound('Issue');
    return facts;
  }

  /** Finds an issue for a change that needs `right`. @throws 404 if the caller may not read it, 403 if they lack the right */
  async toChange(caller: ProjectCaller, iid: number, right: keyof IssueRights): Promise<FoundIssue> {
    const { facts, rights } = await this.find(caller, iid);
    if (!rights.read) throw notFound('Issue');
    if (!rights[right]) throw forbidden();
    return { facts, rights };
  }
}
