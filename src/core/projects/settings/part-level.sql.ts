import type { ProjectFeature } from '#kernel/access/access.js';
import { levelSettings } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';

/** SQL expression: the level of a part of the project with this alias, as in `partLevel`. */
export function partLevelSql(project: string, part: ProjectFeature): string {
  const levels = levelSettings(part).map((name) => `coalesce(${project}.settings->>'${name}', 'enabled')`);
  if (levels.length === 1) return levels.join('');
  return `(case when 'disabled' in (${levels.join(', ')}) then 'disabled' when 'private' in (${levels.join(', ')}) then 'private'
    else 'enabled' end)`;
}

/**
 * SQL condition: a user with this role in the project (an expression) may read a part of it, by the rules of
 * the guards; `open`: the user can see the project without a role; `least`: the role needed otherwise. The
 * role is evaluated last.
 */
export function readsPartSql(
  project: string,
  part: ProjectFeature,
  { role, open, least }: { readonly role: string; readonly open: string; readonly least: Role },
): string {
  const level = partLevelSql(project, part);
  return `(${level} <> 'disabled' and (${open} and ${level} <> 'private' or ${role} >= case when ${open} then ${Role.Guest} else ${least} end))`;
}
