import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Transactions } from '#kernel/database/transactions.js';
import { ProjectSnippetsPort } from './project-snippets.port.js';

interface Child {
  readonly table_name: string;
  readonly column_name: string;
}

/** Rows removed per transaction, so that a large project does not block others. */
const BATCH = 1_000;

/** Tables whose rows are removed with a project; younger tables first, because they refer to older ones. */
const CHILDREN = `select k.conrelid::regclass::text as table_name, quote_ident(a.attname) as column_name
  from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.contype = 'f' and k.confrelid = 'projects'::regclass and k.conrelid <> 'projects'::regclass
    and k.confdeltype = 'c' and cardinality(k.conkey) = 1
  order by k.conrelid::int8 desc`;

/**
 * Finds what belongs to a project by the foreign keys of all tables: a new table needs only its constraint.
 */
@Injectable()
export class ProjectChildrenService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly snippets: ProjectSnippetsPort,
  ) {}

  /** Removes everything below a project in batches; a repeated call continues where the last one stopped. */
  async remove(projectId: number, signal: AbortSignal): Promise<void> {
    for (const child of await this.dataSource.query<Child[]>(CHILDREN)) {
      while ((await this.removeBatch(child, projectId)) === BATCH) signal.throwIfAborted();
    }
  }

  private async removeBatch({ table_name, column_name }: Child, projectId: number): Promise<number> {
    return this.transactions.run(async (tx) => {
      if (table_name === 'snippets') return this.snippets.remove(tx, projectId, BATCH);
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
