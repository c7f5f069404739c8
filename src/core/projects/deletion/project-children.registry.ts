import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Transactions, type Tx } from '#kernel/database/transactions.js';

interface Child {
  readonly table_name: string;
  readonly column_name: string;
}

/** Removes up to `limit` rows of a project and gives their number; 0 once there are none left. */
export type ChildRemover = (tx: Tx, projectId: number, limit: number) => Promise<number>;

/** Rows removed in one transaction, so that a large project holds up nobody. */
const BATCH = 1_000;

/** Tables whose rows go with a project; younger tables first, since they name older ones. */
const CHILDREN = `select k.conrelid::regclass::text as table_name, quote_ident(a.attname) as column_name
  from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.contype = 'f' and k.confrelid = 'projects'::regclass and k.conrelid <> 'projects'::regclass
    and k.confdeltype = 'c' and cardinality(k.conkey) = 1
  order by k.conrelid::int8 desc`;

/** What belongs to a project, found through the foreign keys of all tables: a new table takes part by its constraint alone. */
@Injectable()
export class ProjectChildrenRegistry {
  private readonly removers = new Map<string, ChildRemover>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** Has the rows of a table removed by somebody who knows what else goes with them; call it in `onModuleInit`. */
  register(table: string, remover: ChildRemover): void {
    this.removers.set(table, remover);
  }

  /** Removes everything below a project in batches; a repeated call goes on where the last one stopped. */
  async remove(projectId: number, signal: AbortSignal): Promise<void> {
    for (const child of await this.dataSource.query<Child[]>(CHILDREN)) {
      while ((await this.removeBatch(child, projectId)) === BATCH) signal.throwIfAborted();
    }
  }

  private async removeBatch({ table_name, column_name }: Child, projectId: number): Promise<number> {
    return this.transactions.run(async (tx) => {
      const remover = this.removers.get(table_name);
      if (remover) return remover(tx, projectId, BATCH);
      const [row] = await tx.query<{ removed: number }[]>(
        `with batch as (select ctid from ${table_name} where ${column_name} = $1 limit ${BATCH} for update),
          removed as (delete from ${table_name} t using batch where t.ctid = batch.ctid returning 1)
         select count(*)::int as removed from removed`,
        [projectId],
      );
      return row?.removed ?? 0;
    });
  }
}
