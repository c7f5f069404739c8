import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import type { IssuableKind } from './issuable-kind.js';

/**
 * The column `user_notes_count` for a reader: internal notes are counted for those who may read them, which the condition `reports` says of the
 * project `p`. It is asked where there are any: most things have none, and an index that holds nothing else says so.
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
