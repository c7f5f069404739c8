import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { readableProjects, type SqlPiece } from '#core/projects/lists/readable-projects.js';
import { authorizedSql } from '#core/projects/lists/visible-projects.js';

const TAKES_PART = `i.author_id = ? or exists (select 1 from issue_assignees va where va.issue_id = i.id and va.user_id = ?)`;

/**
 * SQL condition: the caller, admitted by the guards to its project with this role, may read the issue `i`.
 */
export function visibleInProject(actor: Actor | null, role: Role): SqlPiece {
  if (role >= Role.Reporter) return { sql: 'true', values: [] };
  if (!actor) return { sql: 'not i.confidential', values: [] };
  return { sql: `(not i.confidential or ${TAKES_PART})`, values: [actor.id, actor.id] };
}

/** SQL condition: the caller may read the issue `i` although it is confidential, in any project. */
export function visibleThoughConfidential(actor: Actor | null): SqlPiece {
  if (actor?.admin) return { sql: 'true', values: [] };
  if (!actor) return { sql: 'not i.confidential', values: [] };
  return {
    sql: `(not i.confidential or ${TAKES_PART} or i.project_id in (${authorizedSql(Role.Reporter)}))`,
    values: [actor.id, actor.id, actor.id],
  };
}

/** SQL condition for issues below the caller's group, whose role there applies to all its projects. */
export const visibleBelow = ({ actor, role }: Caller): SqlPiece =>
  role >= Role.Reporter ? { sql: 'true', values: [] } : visibleThoughConfidential(actor);

/** SQL condition: the caller may read the issue `i` of the project `p`, for issues of many projects. */
export function visibleIssues(actor: Actor | null): SqlPiece {
  const project = readableProjects(actor, 'issues', Role.Guest);
  const issue = visibleThoughConfidential(actor);
  return { sql: `${project.sql} and ${issue.sql}`, values: [...project.values, ...issue.values] };
}
