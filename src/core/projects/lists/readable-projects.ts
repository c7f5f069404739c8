import type { ProjectFeature } from '#kernel/access/access.js';
import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { partLevelSql, readsPartSql } from '../settings/part-level.sql.js';
import { authorizedSql } from './visible-projects.js';

/** A fragment of SQL with a `?` for each value, as `ListQuery.where` takes it. */
export interface SqlPiece {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * SQL condition for many projects at once: the caller may read this part of the project `p`, by the rules of
 * the guards. A private project needs a role of at least `least`; a part that is limited to members needs any
 * role. `members`: alternative queries for the projects in which the caller has that role, and any role.
 */
export function readableProjects(
  actor: Actor | null,
  feature: ProjectFeature,
  least: Role,
  members?: { readonly least: string; readonly any?: string },
): SqlPiece {
  const level = partLevelSql('p', feature);
  if (!actor)
    return {
      sql: `(p.visibility = 'public' and ${level} not in ('disabled', 'private') and not p.pending_delete)`,
      values: [],
    };
  if (actor.admin) return { sql: `(${level} <> 'disabled' and not p.pending_delete)`, values: [] };
  const open = actor.external ? `p.visibility = 'public'` : `p.visibility in ('public', 'internal')`;
  // A subquery on one side of an `or` is hashed; an array would be scanned for each row.
  const isMember = `p.id in (${members?.least ?? authorizedSql(least)})`;
  const any = members?.any ?? authorizedSql(Role.Guest);
  const isGuest = least === Role.Guest ? '' : ` or ${open} and p.id in (${any})`;
  return {
    sql: `(not p.pending_delete and ${level} <> 'disabled' and (${open} and ${level} <> 'private' or ${isMember}${isGuest}))`,
    values: [
      ...(members === undefined ? [actor.id] : []),
      ...(isGuest === '' || members?.any !== undefined ? [] : [actor.id]),
    ],
  };
}

/**
 * Returns the same for the projects below the caller's group. The caller's role in the group applies to all
 * of them; if it suffices, no other roles are looked up.
 */
export const readableBelow = ({ actor, role }: Caller, feature: ProjectFeature, least: Role): SqlPiece =>
  role >= least && role > Role.Minimal
    ? {
        sql: `(${partLevelSql('p', feature)} <> 'disabled' and not p.pending_delete)`,
        values: [],
      }
    : readableProjects(actor, feature, least);

/** Builds a condition with the caller's role in a project `p` of the namespace `pn`. */
function withRole(actor: Actor, condition: (role: string) => string): SqlPiece {
  const role = projectRoleSql('?::bigint', 'p', 'pn');
  return { sql: condition(role), values: Array.from(role.matchAll(/\?/g), () => actor.id) };
}

/**
 * Returns the condition of `readableProjects` for single rows: looks up the caller's role in each project `p`
 * of the namespace `pn`, if it matters.
 */
export function readableEach(actor: Actor | null, feature: ProjectFeature, least: Role): SqlPiece {
  if (!actor || actor.admin) return readableProjects(actor, feature, least);
  const open = actor.external ? `p.visibility = 'public'` : `p.visibility in ('public', 'internal')`;
  return withRole(
    actor,
    (role) => `(not p.pending_delete and ${readsPartSql('p', feature, { role, open, least })})`,
  );
}

/** SQL condition: the caller is at least Reporter of the project `p`; looked up for each project. */
export function reportsIn(actor: Actor | null): SqlPiece {
  if (actor?.admin) return { sql: 'true', values: [] };
  if (!actor) return { sql: 'false', values: [] };
  return withRole(
    actor,
    (role) => `(select ${role} from namespaces pn where pn.id = p.namespace_id) >= ${Role.Reporter}`,
  );
}

/**
 * Returns the same for projects in or below the subject of the request, where the caller's role is at least
 * as high.
 */
export function reportsBelow({ actor, role, subject }: Caller): SqlPiece {
  if (role >= Role.Reporter) return { sql: 'true', values: [] };
  return subject?.kind === 'Project' ? { sql: 'false', values: [] } : reportsIn(actor);
}
