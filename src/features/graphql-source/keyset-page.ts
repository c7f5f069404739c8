import { library } from '#kernel/libraries/library.js';

const graphql = library('graphql');

/** Rows of a page at most, as clients of v4 servers know it, and unless they say. */
const MAX_ROWS = 100;

/** How a page is asked for. */
export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** A page as it is answered. */
export interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/** Number of rows that is wanted. @throws GraphQLError for less than none */
export function sizeOf({ first }: PageArguments): number {
  if (first === undefined || first === null) return MAX_ROWS;
  if (first < 0) throw new (graphql().GraphQLError)('"first" must not be negative');
  return Math.min(first, MAX_ROWS);
}

/** Id of the last row of the page before; 0 at the beginning. @throws GraphQLError for what is no cursor of ours */
export function positionOf({ after }: PageArguments): number {
  if (after === undefined || after === null || after === '') return 0;
  const id =
    after.length > 40 ? NaN : Number(/^id:(\d{1,15})$/.exec(Buffer.from(after, 'base64url').toString())?.[1]);
  if (!Number.isSafeInteger(id)) throw new (graphql().GraphQLError)('"after" is no cursor of this list');
  return id;
}

/** Makes a page of rows of which one more than wanted was read. */
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
