import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import type { IssuableKind } from './issuable-kind.js';

/**
 * The column `user_notes_count` for a reader: internal notes are counted only for readers who may read them,
 * by the condition `reports` on the project `p`. The condition is evaluated only if there are internal notes:
 * most issuables have none, which a partial index reveals.
 */
export function userNotesCount({ type, alias }: IssuableKind, reports: SqlPiece): SqlPiece {
  const all = `${alias}.user_notes_count`;
  if (reports.sql === 'true') return { sql: all, values: [] };
  const internal = `select count(*)::int as count from notes xn
    where xn.noteable_type = '${type}' and xn.noteable_id = ${alias}.id and xn.internal and not xn.system`;
  return {
    sql: `(select case when c.count = 0 or ${reports.sql} then ${all} else ${all} - c.count end from (${internal}) c) as user_notes_count`,
    values: reports.values,
  };
}
