import { Injectable } from '@nestjs/common';
import type { UserCaller, ProjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import { IssueFinder, type FoundIssue } from '../issue.finder.js';

const BY_ID = 'select p.id, p.archived from projects p where p.id = $1 and not p.pending_delete';

const BY_PATH = `select p.id, p.archived from routes r join projects p on p.id = r.source_id and not p.pending_delete
  where r.path = lower($1) and r.source_type = 'Project' and not r.redirect`;

interface ProjectRow {
  readonly id: number;
  readonly archived: boolean;
}

/** The other issue of a link, with the caller's rights. */
export interface OtherIssue extends FoundIssue {
  readonly mayLink: boolean;
  readonly mayComment: boolean;
}

/** Finds the other issues of links, in any project. */
@Injectable()
export class LinkedIssueFinder {
  constructor(
    private readonly database: ReadDatabase,
    private readonly readers: ProjectReadersQueries,
    private readonly access: IssueFinder,
  ) {}

  /**
   * Finds an issue by its number in the project with this id or path. @throws 404 if the caller may not read
   * it
   */
  async find(caller: UserCaller & ProjectCaller, projectRef: string, iid: number): Promise<OtherIssue> {
    const project = await this.project(projectRef);
    if (!project) throw notFound('Project');
    const isHere = caller.subject.id === project.id;
    const role = isHere
      ? caller.role
      : await this.readers.roleOf(caller.actor, project.id, 'issues', Role.Guest);
    if (role === null) throw notFound('Project');
    const subject = { ...caller.subject, id: project.id };
    const found = await this.access.find({ ...caller, role, subject }, iid);
    if (!found.rights.read) throw notFound('Issue');
    const isLocked = found.facts.discussion_locked === true && role < Role.Guest;
    return {
      ...found,
      mayLink: found.rights.update && !project.archived,
      mayComment: !isLocked && !project.archived,
    };
  }

  private project(ref: string): Promise<ProjectRow | null> {
    return /^\d{1,15}$/.test(ref)
      ? this.database.one<ProjectRow>(BY_ID, [Number(ref)])
      : this.database.one<ProjectRow>(BY_PATH, [ref]);
  }
}
