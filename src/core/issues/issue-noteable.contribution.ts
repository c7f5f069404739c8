import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller, ProjectCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import {
  ProjectReadersQueries,
  ROLE_OF_USER,
  userReadsSql,
} from '#core/issuables/project-readers.queries.js';
import type { Noteable, NoteableContribution } from '#core/notes/noteables/noteable.js';
import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import type { PresentsNoteable } from '#core/notes/participants/subscription.controller-factory.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import { IssueFinder } from './issue.finder.js';
import { visibleIssues } from './lists/issue-visibility.js';
import type { IssueRecord } from './issue.record.js';
import { IssuesQueries } from './issues.queries.js';
import { IssuePresenter } from './issue.presenter.js';

const FACTS = `select i.project_id, i.confidential,
    array(select i.author_id where i.author_id is not null union all select va.user_id from issue_assignees va where va.issue_id = i.id) as people
  from issues i where i.id = $1`;

const READERS = `exists (select 1 from issues i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id
  where i.id = ? and ${userReadsSql('issues', Role.Guest)} and (not i.confidential or i.author_id = u.id
    or exists (select 1 from issue_assignees va where va.issue_id = i.id and va.user_id = u.id) or ${ROLE_OF_USER} >= ${Role.Reporter}))`;

/** Makes issues noteables. */
@Injectable()
export class IssueNoteableContribution
  implements NoteableContribution, PresentsNoteable<IssueRecord>, OnModuleInit
{
  readonly type = 'Issue';

  constructor(
    private readonly noteables: NoteableRegistry,
    private readonly access: IssueFinder,
    private readonly queries: IssuesQueries,
    private readonly readers: ProjectReadersQueries,
    private readonly database: ReadDatabase,
    private readonly views: IssuePresenter,
  ) {}

  onModuleInit(): void {
    this.noteables.register(this);
  }

  async find(caller: ProjectCaller, ref: number): Promise<Noteable> {
    const issue = await this.access.toRead(caller, ref);
    const { actor, role } = caller;
    const { fullPath } = caller.subject;
    return {
      type: 'Issue',
      id: issue.id,
      iid: issue.iid,
      commitId: null,
      projectId: issue.project_id,
      groupId: null,
      title: issue.title,
      authorId: issue.author_id,
      webPath: `/${fullPath}/-/issues/${issue.iid}`,
      reader: actor,
      hasSources: issue.has_sources,
      mayComment: actor !== null && (issue.discussion_locked !== true || role >= Role.Guest),
      mayReadInternal: role >= Role.Reporter,
      mayAdminNotes: role >= Role.Maintainer,
    };
  }

  async readersAmong(
    id: number,
    userIds: readonly number[],
    internal: boolean,
  ): Promise<ReadonlySet<number>> {
    const issue = await this.database.one<{ project_id: number; confidential: boolean; people: number[] }>(
      FACTS,
      [id],
    );
    if (!issue) return new Set();
    const roles = await this.readers.among(issue.project_id, userIds, 'issues', Role.Guest);
    const people = new Set(issue.people);
    const reads = ([userId, role]: [number, Role]): boolean =>
      role >= Role.Reporter || (!internal && (!issue.confidential || people.has(userId)));
    return new Set([...roles].filter(reads).map(([userId]) => userId));
  }

  readableBy(id: number): SqlPiece {
    return { sql: READERS, values: [id] };
  }

  readable(reader: Actor | null, id: string): SqlPiece {
    const { sql, values } = visibleIssues(reader);
    const found = `select 1 from issues i join projects p on p.id = i.project_id where i.id = ${id} and ${sql}`;
    return { sql: `exists (${found})`, values };
  }

  async presentNoteable(caller: Caller, { projectId, iid }: Noteable): Promise<IssueRecord> {
    const row = await this.queries.find(projectId as number, iid as number, caller.actor);
    return this.views.presentOne(caller, row);
  }
}
