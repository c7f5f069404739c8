import type { EntityMetadata } from 'typeorm';
import type { BaseEntity } from '../base.entity.js';
import { runDeferred, runWithNext } from './prepared.js';
import type { Tx } from '../transactions.js';

/** The class of an entity whose columns are as the database has them: nothing is transformed on the way. */
type EntityClass<E extends BaseEntity> = abstract new () => E;

/** Columns to write: their values, or functions that return an expression. */
export type RowChange<E extends BaseEntity> = { readonly [Name in keyof E]?: E[Name] | (() => string) };

const texts = new WeakMap<EntityMetadata, Map<string, string>>();

/** All columns of a table, as its entity calls them; `tail` says of which rows. */
function rowsSql(metadata: EntityMetadata, tail: string): string {
  const known = texts.get(metadata) ?? new Map<string, string>();
  texts.set(metadata, known);
  let text = known.get(tail);
  if (text === undefined) {
    const columns = metadata.columns.map(
      ({ databaseName, propertyName }) => `"${databaseName}" as "${propertyName}"`,
    );
    text = `select ${columns.join(', ')} from ${metadata.tableName} where ${tail}`;
    known.set(tail, text);
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
  const [row] = await tx.query<E[]>(rowsSql(tx.dataSource.getMetadata(entity), 'id = $1 for no key update'), [
    id,
  ]);
  return row ?? null;
}

/** A row that `condition` chooses, asked for with whatever `tx` runs next; null where there is none. */
export async function askForRow<E extends BaseEntity>(
  tx: Tx,
  entity: EntityClass<E>,
  condition: string,
  values: unknown[],
): Promise<() => Promise<E | null>> {
  const rows = await runWithNext<E>(tx, rowsSql(tx.dataSource.getMetadata(entity), condition), values);
  return async () => (await rows())[0] ?? null;
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
