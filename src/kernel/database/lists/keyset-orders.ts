import type { KeysetOrder } from './list-query.js';

/** The order by id, in both directions. */
export const byId = (alias: string): KeysetOrder => ({
  columns: [{ sql: `${alias}.id`, property: 'id', type: 'bigint' }],
  directions: ['asc', 'desc'],
});

/**
 * The order by id within one owner, whose column leads the index used; `property` is its name in the rows.
 */
export const byOwner = (alias: string, owner = 'project_id', property = owner): KeysetOrder => ({
  columns: [{ sql: `${alias}.${owner}`, property, type: 'bigint' }, ...byId(alias).columns],
  directions: ['asc', 'desc'],
});
