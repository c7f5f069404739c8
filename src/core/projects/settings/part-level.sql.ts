import type { ProjectFeature } from '#kernel/access/access.js';
import { levelSettings } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';

/** Scalar expression: the level of a part of the project with this alias, as `partLevel` tells it. */
export function partLevelSql(project: string, part: ProjectFeature): string {
  const levels = levelSettings(part).map((name) => `coalesce(${project}.settings->>'${name}', 'enabled')`);
  if (levels.length === 1) return levels.join('');
  return `(case when 'disabled' in (${levels.join(', ')}) then 'disabled' when 'private' in (${levels.join(', ')}) then 'private'
    else 'enabled' end)`;
}

/**
 * Condition: whoever has that role in the project (an expression) may read a part of it, by the rules of the guards; `open` says that they see
 * the project without any role, `least` is the role that it asks for otherwise. The role is asked for last.
 */
export function readsPartSql(
  project: string,
  part: ProjectFeature,
  { role, open, least }: { readonly role: string; readonly open: string; readonly least: Role },
): string {
  const level = partLevelSql(project, part);
  return `(${level} <> 'disabled' and (${open} and ${level} <> 'private' or ${role} >= case when ${open} then ${Role.Guest} else ${least} end))`;
}
