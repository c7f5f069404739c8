import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { IDEAL_DISTANCE, positionBetween } from '#core/issuables/positions.js';

/** A row of an epic's list. */
interface Placed {
  readonly id: number;
  readonly relative_position: number;
}

/** Rows that stand in the list of an epic. */
interface ListedTable {
  readonly table: 'epic_issues' | 'epics';
  /** The column that names the epic. */
  readonly key: 'epic_id' | 'parent_id';
  /** Name of a row for people. */
  readonly kind: string;
}

interface Statements {
  readonly find: string;
  readonly first: string;
  readonly previous: string;
  readonly next: string;
  readonly spread: string;
  readonly place: string;
}

function statementsOf({ table, key }: ListedTable): Statements {
  const columns = 'id, relative_position';
  const neighbour = (sign: '<' | '>', direction: 'asc' | 'desc'): string =>
    `select ${columns} from ${table} where ${key} = $1 and id <> $2 and (relative_position, id) ${sign} ($3, $4)
     order by relative_position ${direction}, id ${direction} limit 1`;
  return {
    find: `select ${columns} from ${table} where ${key} = $1 and id = any($2::bigint[])`,
    first: `select ${columns} from ${table} where ${key} = $1 order by relative_position, id limit 1`,
    previous: neighbour('<', 'desc'),
    next: neighbour('>', 'asc'),
    // All rows at the ideal distance, around zero, in the order that they have.
    spread: `update ${table} x set relative_position = s.place from (
        select id, (row_number() over (order by relative_position, id) - 1 - count(*) over () / 2) * ${IDEAL_DISTANCE} as place
        from ${table} where ${key} = $1) s
      where x.id = s.id and x.relative_position <> s.place`,
    place: `update ${table} set relative_position = $2 where id = $1`,
  };
}

/**
 * The order of a list of an epic, made by hand (`planning.md` 3.3). Whoever changes it holds the lock of the epic, so that no two see the same
 * gap; ties, which there are none after any change here, go by id.
 */
export abstract class HandOrder {
  private readonly sql: Statements;

  protected constructor(private readonly listed: ListedTable) {
    this.sql = statementsOf(listed);
  }

  /** A position above all others of the epic. */
  async top(tx: Tx, epicId: number): Promise<number> {
    const first = (await tx.query<Placed[]>(this.sql.first, [epicId]))[0];
    const position = positionBetween(null, first?.relative_position ?? null);
    if (position !== null) return position;
    await tx.query(this.sql.spread, [epicId]);
    return this.top(tx, epicId);
  }

  /**
   * Moves a row right behind `beforeId`, or right in front of `afterId`, or between both; neither: it stays. @throws 404 for rows that are not
   * of this epic
   */
  async move(
    tx: Tx,
    epicId: number,
    id: number,
    beforeId: number | null,
    afterId: number | null,
  ): Promise<void> {
    const ends = await this.ends(tx, epicId, id, beforeId, afterId);
    if (!ends) return;
    const position = positionBetween(
      ends.before?.relative_position ?? null,
      ends.after?.relative_position ?? null,
    );
    if (position !== null) {
      await tx.query(this.sql.place, [id, position]);
      return;
    }
    await tx.query(this.sql.spread, [epicId]);
    await this.move(tx, epicId, id, beforeId, afterId);
  }

  /** Between which rows it goes; null where it is there already. */
  private async ends(
    tx: Tx,
    epicId: number,
    id: number,
    beforeId: number | null,
    afterId: number | null,
  ): Promise<{ before: Placed | null; after: Placed | null } | null> {
    const wanted = [...new Set([beforeId, afterId])].filter((one) => one !== null);
    const rows = await tx.query<Placed[]>(this.sql.find, [epicId, [id, ...wanted]]);
    const found = (one: number): Placed => {
      const row = rows.find((candidate) => candidate.id === one);
      if (!row) throw notFound(this.listed.kind);
      return row;
    };
    const moved = found(id);
    const others = wanted
      .map(found)
      .filter((row) => row.id !== id)
      .sort(byPlace);
    const [first, second] = others;
    if (!first) return null;
    const isAfter = second === undefined && first.id !== beforeId;
    const before = isAfter ? await this.besides(tx, this.sql.previous, epicId, id, first) : first;
    // Between two that are no neighbours: right behind the first, as halfway there may be a third.
    const after = isAfter ? first : await this.besides(tx, this.sql.next, epicId, id, first);
    const last = second ?? after;
    const isThere = (!before || byPlace(before, moved) < 0) && (!last || byPlace(moved, last) < 0);
    return isThere ? null : { before, after };
  }

  private async besides(
    tx: Tx,
    text: string,
    epicId: number,
    id: number,
    row: Placed,
  ): Promise<Placed | null> {
    return (await tx.query<Placed[]>(text, [epicId, id, row.relative_position, row.id]))[0] ?? null;
  }
}

const byPlace = (one: Placed, other: Placed): number =>
  one.relative_position - other.relative_position || one.id - other.id;
