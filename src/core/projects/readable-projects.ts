import type { ProjectFeature } from '#kernel/access/access.js';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { authorizedSql } from './visible-projects.js';

/** A piece of SQL with a `?` for each value, as `ListQuery.where` takes it. */
export interface SqlPiece {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Condition: the caller may read this part of the project `p`, by the rules of the guards: for many projects at once. Where the project is
 * private a role of at least `least` is needed, where only the part is kept to members any role is.
 */
export function readableProjects(actor: Actor | null, feature: ProjectFeature, least: Role): SqlPiece {
  const level = `coalesce(p.settings->>'${feature}_access_level', 'enabled')`;
  if (!actor)
    return {
      sql: `(p.visibility = 'public' and ${level} not in ('disabled', 'private') and not p.pending_delete)`,
      values: [],
    };
  if (actor.admin) return { sql: `(${level} <> 'disabled' and not p.pending_delete)`, values: [] };
  const open = actor.external ? `p.visibility = 'public'` : `p.visibility in ('public', 'internal')`;
  // A subquery on one side of an `or` is hashed; an array would be searched anew for each row.
  const isMember = `p.id in (${authorizedSql(least)})`;
  const isGuest = least === Role.Guest ? '' : ` or ${open} and p.id in (${authorizedSql(Role.Guest)})`;
  return {
    sql: `(not p.pending_delete and ${level} <> 'disabled' and (${open} and ${level} <> 'private' or ${isMember}${isGuest}))`,
    values: isGuest === '' ? [actor.id] : [actor.id, actor.id],
  };
}
