import type { DeepPartial, ObjectLiteral } from 'typeorm';
import type { BaseEntity } from '../base.entity.js';
import type { Tx } from '../transactions.js';

/** Inserts a row, and returns its id; null if another row already has one of its unique keys. */
export async function insertNew<Row extends BaseEntity>(
  tx: Tx,
  type: new () => Row,
  values: DeepPartial<Row>,
): Promise<number | null> {
  const insert = tx.createQueryBuilder().insert().into<ObjectLiteral>(type).values(values);
  const made = await insert.orIgnore().returning('id').execute();
  const [row] = made.raw as { id: number }[];
  return row?.id ?? null;
}
