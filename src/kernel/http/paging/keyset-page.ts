import type { KeysetOrder, ListQuery } from '#kernel/database/lists/list-query.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { invalid, keysetUnavailable } from '../errors.js';
import type { Page } from './page.js';
import type { PageParams } from './page.params.js';

/** The order a keyset page walks in and the values behind which it starts. */
interface Position {
  readonly name: string;
  readonly order: KeysetOrder;
  readonly sort: 'asc' | 'desc';
  readonly after: readonly (string | number)[] | null;
}

/** Reads the position out of the parameters: 405 for an order that the list does not have, 400 for a broken cursor. */
export function keysetPosition<Row extends object>(params: PageParams, query: ListQuery<Row>): Position {
  const name = params.order_by ?? '';
  const { sort } = params;
  const order = query.keysetOrder(name);
  if (!order || (sort !== 'asc' && sort !== 'desc') || !order.directions.includes(sort))
    throw keysetUnavailable();
  if (params.cursor !== undefined) {
    const types = order.columns.map((column) => column.type);
    const cursor = decodeCursor(params.cursor, name, sort, types);
    if (!cursor) throw invalid({ cursor: ['is invalid'] });
    return { name, order, sort, after: cursor.values };
  }
  const id =
    query.shape.keysetLink === 'id' ? (sort === 'asc' ? params.id_after : params.id_before) : undefined;
  return { name, order, sort, after: id === undefined ? null : [id] };
}

/** Loads one keyset page; it links the next one while there is one. */
export async function loadKeyset<Row extends object>(
  page: Page,
  query: ListQuery<Row>,
  { name, order, sort, after }: Position,
): Promise<{ rows: Row[]; headers: Record<string, string> }> {
  const byId = query.shape.keysetLink === 'id';
  const statement = query.keysetStatement(order, sort, after, page.perPage + 1);
  const rows = await page.run<Row>(query, statement);
  const hasMore = rows.length > page.perPage;
  if (hasMore) rows.pop();
  const last = rows.at(-1) as Record<string, string | number> | undefined;
  if (!last || !hasMore) return { rows, headers: {} };
  const values = order.columns.map((column) => last[column.property] as string | number);
  const changes = byId
    ? { [sort === 'asc' ? 'id_after' : 'id_before']: values[0] }
    : { cursor: encodeCursor({ order: name, sort, values }) };
  return { rows, headers: { Link: page.links([{ rel: 'next', changes: { ...changes, page: undefined } }]) } };
}
