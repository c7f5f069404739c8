import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Transactions } from '#kernel/database/transactions.js';

interface Reference {
  readonly table_name: string;
  readonly column_name: string;
  /** `n` set null, `a` or `r` none or restrict. */
  readonly on_delete: string;
}

/** Rows moved in one transaction, so that a busy author holds up nobody. */
const BATCH = 5_000;

/** Every column that names a user for what they did; columns with `on delete cascade` hold what is the user's own. */
const REFERENCES = `select k.conrelid::regclass::text as table_name, quote_ident(a.attname) as column_name,
    k.confdeltype::text as on_delete
  from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.contype = 'f' and k.confrelid = 'users'::regclass and k.conrelid <> 'users'::regclass
    and k.confdeltype <> 'c' and cardinality(k.conkey) = 1
  order by 1, 2`;

/**
 * What a user did, found through the foreign keys of all tables: a new table takes part by its constraint alone.
 */
@Injectable()
export class Contributions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** Gives everything one user did to another, in batches. With `requiredOnly` rows that can do without an author keep none. */
  async move(from: number, to: number, requiredOnly: boolean, signal: AbortSignal): Promise<void> {
    const references = await this.dataSource.query<Reference[]>(REFERENCES);
    for (const reference of references) {
      if (requiredOnly && reference.on_delete === 'n') continue;
      while ((await this.moveBatch(reference, from, to)) === BATCH) signal.throwIfAborted();
    }
  }

  private async moveBatch({ table_name, column_name }: Reference, from: number, to: number): Promise<number> {
    return this.transactions.run(async (tx) => {
      const [row] = await tx.query<{ moved: number }[]>(
        `with batch as (select ctid from ${table_name} where ${column_name} = $1 limit ${BATCH} for update),
          moved as (update ${table_name} t set ${column_name} = $2 from batch where t.ctid = batch.ctid returning 1)
         select count(*)::int as moved from moved`,
        [from, to],
      );
      return row?.moved ?? 0;
    });
  }
}
