import type { ListQuery } from '#kernel/database/lists/list-query.js';

/** Up to this many values get a condition each, which an index can serve. */
const FEW = 3;

/**
 * Adds a condition with a `?` for each value. Many values become one condition: statements are prepared and
 * kept, so lists of any length must not fill the memory of the database.
 */
export function whereAll(
  query: ListQuery<object>,
  condition: string,
  type: 'text' | 'bigint',
  values: readonly unknown[],
): void {
  if (values.length <= FEW) for (const value of values) query.where(condition, value);
  else
    query.where(
      `not exists (select 1 from unnest(?::${type}[]) wanted (value) where not ${condition.replace('?', 'wanted.value')})`,
      values,
    );
}
