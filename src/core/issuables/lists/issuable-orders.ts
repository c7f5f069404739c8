import type { ListQuery } from '#kernel/database/lists/list-query.js';
import type { IssuableKind } from '../issuable-kind.js';
import type { ListFilters } from './listed-kind.js';

/** Orders without an index, by one or more expressions. */
export type ExpressionOrders = Readonly<Partial<Record<string, readonly string[]>>>;

/** Returns the orders that issues and merge requests share. */
export function sharedOrders({ alias, labels: { table, key } }: IssuableKind): ExpressionOrders {
  const due = `(select od.due_date from milestones od where od.id = ${alias}.milestone_id)`;
  const priority = `(select min(op.priority) from ${table} ol
  join label_priorities op on op.label_id = ol.label_id and op.project_id = ${alias}.project_id where ol.${key} = ${alias}.id)`;
  return {
    label_priority: [priority],
    milestone_due: [due],
    popularity: [`${alias}.upvotes`],
    priority: [due, priority],
  };
}

/**
 * Orders a list by one of the expressions, nulls last, or by a column of the kind. Returns whether an index
 * may have the order.
 */
export function orderBy(
  query: ListQuery<object>,
  { alias }: IssuableKind,
  expressions: ExpressionOrders,
  { order_by: order = 'created_at', sort = 'desc' }: ListFilters,
): boolean {
  const by = expressions[order];
  if (!by) query.orderBy(`${alias}.${order}`, sort);
  else
    query.orderByExpression(
      [...by.map((sql) => `${sql} ${sort} nulls last`), `${alias}.id ${sort}`].join(', '),
    );
  return by === undefined;
}
