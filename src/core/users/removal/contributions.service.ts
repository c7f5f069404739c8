import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Transactions } from '#kernel/database/transactions.js';

interface Reference {
  readonly table_name: string;
  readonly column_name: string;
  /** Whether the rows, such as votes, approvals and events, go with the user on permanent removal. */
  readonly goes_along: boolean;
  /** Columns of the same unique index: the ghost can have each combination only once. */
  readonly unique_with: readonly string[] | null;
}

/** Rows moved per transaction, so that an active author does not block others. */
const BATCH = 5_000;

/**
 * All columns that refer to the author of something. Columns with `on delete cascade` are rows owned by the
 * user, unless a comment on the constraint says that they are kept; rights are never inherited.
 */
const REFERENCES = `select k.conrelid::regclass::text as table_name, quote_ident(a.attname) as column_name,
    k.confdeltype = 'c' as goes_along,
    (select array_agg(quote_ident(o.attname)) from pg_index i join pg_attribute o on o.attrelid = i.indrelid and o.attnum = any(i.indkey::int2[])
      where i.indrelid = k.conrelid and i.indisunique and i.indpred is null and i.indexprs is null
        and a.attnum = any(i.indkey::int2[]) and o.attnum <> a.attnum) as unique_with
  from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    cross join lateral (select coalesce(obj_description(k.oid, 'pg_constraint'), '') as said) c
  where k.contype = 'f' and k.confrelid = 'users'::regclass and k.conrelid <> 'users'::regclass and cardinality(k.conkey) = 1
    and (k.confdeltype <> 'c' or c.said = 'kept under the ghost') and c.said <> 'a right'
  order by 1, 2`;

/**
 * Finds the contributions of a user by the foreign keys of all tables: a new table needs only its constraint.
 */
@Injectable()
export class ContributionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Moves the contributions of a user to another in batches. With `hard`, only those that others
   * still see.
   */
  async move(from: number, to: number, hard: boolean, signal: AbortSignal): Promise<void> {
    const references = await this.dataSource.query<Reference[]>(REFERENCES);
    for (const reference of references) {
      if (hard && reference.goes_along) continue;
      while ((await this.moveBatch(reference, from, to)) === BATCH) signal.throwIfAborted();
    }
  }

  private async moveBatch(reference: Reference, from: number, to: number): Promise<number> {
    const { table_name, column_name } = reference;
    return this.transactions.run(async (tx) => {
      const [row] = await tx.query<{ moved: number }[]>(
        `with batch as (select ctid from ${table_name} t where ${column_name} = $1 ${unlessThere(reference)} limit ${BATCH} for update),
          moved as (update ${table_name} t set ${column_name} = $2 from batch where t.ctid = batch.ctid returning 1)
         select count(*)::int as moved from moved`,
        [from, to],
      );
      return row?.moved ?? 0;
    });
  }
}

/** Rows that the ghost already has are removed with the user. */
function unlessThere({ table_name, column_name, unique_with: columns }: Reference): string {
  if (!columns) return '';
  const same = columns.map((column) => `g.${column} is not distinct from t.${column}`);
  return `and not exists (select 1 from ${table_name} g where g.${column_name} = $2 and ${same.join(' and ')})`;
}
