import type { ProjectFeature } from '#kernel/access/access.js';
import { levelSettings } from '#kernel/access/project-parts.js';

/** Scalar expression: the level of a part of the project with this alias, as `partLevel` tells it. */
export function partLevelSql(project: string, part: ProjectFeature): string {
  const levels = levelSettings(part).map((name) => `coalesce(${project}.settings->>'${name}', 'enabled')`);
  if (levels.length === 1) return levels.join('');
  return `(case when 'disabled' in (${levels.join(', ')}) then 'disabled' when 'private' in (${levels.join(', ')}) then 'private'
    else 'enabled' end)`;
}
