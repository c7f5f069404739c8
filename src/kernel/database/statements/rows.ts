import type { EntityMetadata } from 'typeorm';
import type { BaseEntity } from '../base.entity.js';
import { runDeferred, runWithNext } from './prepared.js';
import type { Tx } from '../transactions.js';

/** The class of an entity whose columns are used as in the database, without transformations. */
type EntityClass<E extends BaseEntity> = abstract new () => E;

/** Columns to write: their values, or functions that return an expression. */
export type RowChange<E extends BaseEntity> = { readonly [Name in keyof E]?: E[Name] | (() => string) };

const texts = new WeakMap<EntityMetadata, Map<string, string>>();

/** Builds a select of all columns of a table, under the names of its entity; `tail` selects the rows. */
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
 * Finds a row by id and locks it until the transaction ends; null if it no longer exists. TypeORM would build
 * the statement each time, which takes longer than running it.
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

/** Returns the row that matches `condition`, read with the next statement of `tx`; null if there is none. */
export async function askForRow<E extends BaseEntity>(
  tx: Tx,
  entity: EntityClass<E>,
  condition: string,
  values: unknown[],
): Promise<() => Promise<E | null>> {
  const rows = await runWithNext<E>(tx, rowsSql(tx.dataSource.getMetadata(entity), condition), values);
  return async () => (await rows())[0] ?? null;
}

/**
 * Changes columns of a row that the transaction has locked, together with its next statement. The update
 * timestamp is a column like others.
 */
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
