import type { EntityMetadata } from 'typeorm';
import type { BaseEntity } from '../base.entity.js';
import { runDeferred } from './prepared.js';
import type { Tx } from '../transactions.js';

/** The class of an entity whose columns are as the database has them: nothing is transformed on the way. */
type EntityClass<E extends BaseEntity> = abstract new () => E;

/** Columns to write: their values, or functions that return an expression. */
export type RowChange<E extends BaseEntity> = { readonly [Name in keyof E]?: E[Name] | (() => string) };

const locks = new WeakMap<EntityMetadata, string>();

function lockSql(metadata: EntityMetadata): string {
  let text = locks.get(metadata);
  if (text === undefined) {
    const columns = metadata.columns.map(
      ({ databaseName, propertyName }) => `${databaseName} as "${propertyName}"`,
    );
    text = `select ${columns.join(', ')} from ${metadata.tableName} where id = $1 for no key update`;
    locks.set(metadata, text);
  }
  return text;
}

/**
 * A row by its id, locked until the transaction ends; null once it is gone. TypeORM would build the statement anew each time, which takes
 * longer than running it.
 */
export async function lockRow<E extends BaseEntity>(
  tx: Tx,
  entity: EntityClass<E>,
  id: number,
): Promise<E | null> {
  const [row] = await tx.query<E[]>(lockSql(tx.dataSource.getMetadata(entity)), [id]);
  return row ?? null;
}

/** Changes columns of a row that the transaction holds locked, with whatever it runs next. What says when it was changed is a column like others. */
export async function changeRow<E extends BaseEntity>(
  tx: Tx,
  entity: EntityClass<E>,
  id: number,
  change: RowChange<E>,
): Promise<void> {
  const metadata = tx.dataSource.getMetadata(entity);
  const values: unknown[] = [id];
  const columns = Object.entries(change).map(([name, value]) => {
    const column = metadata.findColumnWithPropertyName(name);
    if (!column) throw new Error(`${metadata.tableName} has no column for ${name}`);
    if (typeof value === 'function') return `${column.databaseName} = ${(value as () => string)()}`;
    return `${column.databaseName} = $${values.push(value)}`;
  });
  await runDeferred(tx, `update ${metadata.tableName} set ${columns.join(', ')} where id = $1`, values);
}
