import { library } from '#kernel/libraries/library.js';

const graphql = library('graphql');

/** Limit and default of rows per page that clients of v4 servers know. */
const MAX_ROWS = 100;

/** Arguments of a page. */
export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** A page of a result. */
export interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/** Returns the requested number of rows. @throws GraphQLError if it is negative */
export function sizeOf({ first }: PageArguments): number {
  if (first === undefined || first === null) return MAX_ROWS;
  if (first < 0) throw new (graphql().GraphQLError)('"first" must not be negative');
  return Math.min(first, MAX_ROWS);
}

/**
 * Returns the id of the last row of the previous page; 0 at the start. @throws GraphQLError if the cursor is
 * invalid
 */
export function positionOf({ after }: PageArguments): number {
  if (after === undefined || after === null || after === '') return 0;
  const id =
    after.length > 40 ? NaN : Number(/^id:(\d{1,15})$/.exec(Buffer.from(after, 'base64url').toString())?.[1]);
  if (!Number.isSafeInteger(id)) throw new (graphql().GraphQLError)('"after" is not a cursor of this list');
  return id;
}

/** Builds a page from rows, of which one more than requested was read. */
export function connectionOf<Row extends { readonly id: number }, Node>(
  rows: readonly Row[],
  size: number,
  present: (row: Row) => Node,
): Connection<Node> {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  const endCursor = last ? Buffer.from(`id:${last.id}`).toString('base64url') : null;
  return { nodes: shown.map(present), pageInfo: { endCursor, hasNextPage: rows.length > size } };
}
