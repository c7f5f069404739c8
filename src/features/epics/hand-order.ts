import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { IDEAL_DISTANCE, positionBetween } from '#core/issuables/positions.js';

/** Position of a row in an epic's list. */
interface Positioned {
  readonly id: number;
  readonly relative_position: number;
}

/** Table of the rows in an epic's list. */
interface ListedTable {
  readonly table: 'epic_issues' | 'epics';
  /** Column of the epic. */
  readonly key: 'epic_id' | 'parent_id';
  /** Name of a row for users. */
  readonly kind: string;
}

interface Statements {
  readonly find: string;
  readonly first: string;
  readonly previous: string;
  readonly next: string;
  readonly spread: string;
  readonly setPosition: string;
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
    // Spreads all rows at the ideal distance around zero, keeping their order.
    spread: `update ${table} x set relative_position = s.position from (
        select id, (row_number() over (order by relative_position, id) - 1 - count(*) over () / 2) * ${IDEAL_DISTANCE} as position
        from ${table} where ${key} = $1) s
      where x.id = s.id and x.relative_position <> s.position`,
    setPosition: `update ${table} set relative_position = $2 where id = $1`,
  };
}

/**
 * Manual order of a list of an epic (`planning.md` 3.3). Changes hold the lock of the epic, so that no two
 * use the same gap. Ties, which no change here creates, are ordered by id.
 */
export abstract class HandOrder {
  private readonly sql: Statements;

  protected constructor(private readonly listed: ListedTable) {
    this.sql = statementsOf(listed);
  }

  /** Returns a position above all others of the epic. */
  async top(tx: Tx, epicId: number): Promise<number> {
    const first = (await tx.query<Positioned[]>(this.sql.first, [epicId]))[0];
    const position = positionBetween(null, first?.relative_position ?? null);
    if (position !== null) return position;
    await tx.query(this.sql.spread, [epicId]);
    return this.top(tx, epicId);
  }

  /**
   * Moves a row right after `beforeId`, right before `afterId`, or between both; without either it stays.
   * @throws 404 if a row does not belong to this epic
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
      await tx.query(this.sql.setPosition, [id, position]);
      return;
    }
    await tx.query(this.sql.spread, [epicId]);
    await this.move(tx, epicId, id, beforeId, afterId);
  }

  /** Returns the neighbours of the new position; null if it is already there. */
  private async ends(
    tx: Tx,
    epicId: number,
    id: number,
    beforeId: number | null,
    afterId: number | null,
  ): Promise<{ before: Positioned | null; after: Positioned | null } | null> {
    const wanted = [...new Set([beforeId, afterId])].filter((one) => one !== null);
    const rows = await tx.query<Positioned[]>(this.sql.find, [epicId, [id, ...wanted]]);
    const found = (one: number): Positioned => {
      const row = rows.find((candidate) => candidate.id === one);
      if (!row) throw notFound(this.listed.kind);
      return row;
    };
    const moved = found(id);
    const others = wanted
      .map(found)
      .filter((row) => row.id !== id)
      .sort(byPosition);
    const [first, second] = others;
    if (!first) return null;
    const isAfter = second === undefined && first.id !== beforeId;
    const before = isAfter ? await this.besides(tx, this.sql.previous, epicId, id, first) : first;
    // If they are not neighbours, place it right after the first: there may be others halfway.
    const after = isAfter ? first : await this.besides(tx, this.sql.next, epicId, id, first);
    const last = second ?? after;
    const isThere = (!before || byPosition(before, moved) < 0) && (!last || byPosition(moved, last) < 0);
    return isThere ? null : { before, after };
  }

  private async besides(
    tx: Tx,
    text: string,
    epicId: number,
    id: number,
    row: Positioned,
  ): Promise<Positioned | null> {
    return (await tx.query<Positioned[]>(text, [epicId, id, row.relative_position, row.id]))[0] ?? null;
  }
}

const byPosition = (one: Positioned, other: Positioned): number =>
  one.relative_position - other.relative_position || one.id - other.id;
