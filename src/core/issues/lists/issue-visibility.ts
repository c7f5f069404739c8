import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { readableProjects, type SqlPiece } from '#core/projects/lists/readable-projects.js';
import { authorizedSql } from '#core/projects/lists/visible-projects.js';

const TAKES_PART = `i.author_id = ? or exists (select 1 from issue_assignees va where va.issue_id = i.id and va.user_id = ?)`;

/** Condition: the caller may read the issue `i` of a project where the guards have let them in with this role. */
export function visibleInProject(actor: Actor | null, role: Role): SqlPiece {
  if (role >= Role.Reporter) return { sql: 'true', values: [] };
  if (!actor) return { sql: 'not i.confidential', values: [] };
  return { sql: `(not i.confidential or ${TAKES_PART})`, values: [actor.id, actor.id] };
}

/** Condition: the caller may read the issue `i` though it is confidential, whatever its project is. */
export function visibleThoughConfidential(actor: Actor | null): SqlPiece {
  if (actor?.admin) return { sql: 'true', values: [] };
  if (!actor) return { sql: 'not i.confidential', values: [] };
  return {
    sql: `(not i.confidential or ${TAKES_PART} or i.project_id in (${authorizedSql(Role.Reporter)}))`,
    values: [actor.id, actor.id, actor.id],
  };
}

/** The same for issues of projects below the caller's group, where nobody has less of a role than in the group. */
export const visibleBelow = ({ actor, role }: Caller): SqlPiece =>
  role >= Role.Reporter ? { sql: 'true', values: [] } : visibleThoughConfidential(actor);

/** Condition: the caller may read the issue `i` of the project `p`, for issues of many projects. */
export function visibleIssues(actor: Actor | null): SqlPiece {
  const project = readableProjects(actor, 'issues', Role.Guest);
  const issue = visibleThoughConfidential(actor);
  return { sql: `${project.sql} and ${issue.sql}`, values: [...project.values, ...issue.values] };
}
