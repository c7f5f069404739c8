import { Injectable } from '@nestjs/common';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { OWNER_TABLES, type OwnerType } from '#core/repositories/repository-ref.js';
import { MOVE_KINDS } from '../storage-move.js';

/** Facts of an owner that moves need. */
export interface MoveOwner {
  readonly id: number;
  readonly storage: string;
  readonly readOnly: boolean;
}

interface OwnerRef {
  readonly ownerType: OwnerType;
  readonly ownerId: number;
}

const find = (type: OwnerType): string => `select o.id, o.repository_storage as storage,
    o.repository_read_only as "readOnly" from ${OWNER_TABLES[type]} o
  where o.id = $1 and ${MOVE_KINDS[type].alive} for no key update of o`;

/** Manages the rows of owners: moves, removals and pushes lock these first, before the move. */
@Injectable()
export class MoveOwnersService {
  /** Locks the owner until `tx` ends; null if it no longer exists or is being removed. */
  async lock(tx: Tx, { ownerType, ownerId }: OwnerRef): Promise<MoveOwner | null> {
    const [owner] = await tx.query<MoveOwner[]>(find(ownerType), [ownerId]);
    return owner ?? null;
  }

  /** Makes the owner read-only or writable; ignores a missing one. */
  async setReadOnly(tx: Tx, { ownerType, ownerId }: OwnerRef, readOnly: boolean): Promise<void> {
    await tx.query(`update ${OWNER_TABLES[ownerType]} set repository_read_only = $2 where id = $1`, [
      ownerId,
      readOnly,
    ]);
  }

  /** Sets the storage of the owner. */
  async place(tx: Tx, { ownerType, ownerId }: OwnerRef, storage: string): Promise<void> {
    await tx.query(
      `update ${OWNER_TABLES[ownerType]} set repository_storage = $2, updated_at = ${STATEMENT_TIME} where id = $1`,
      [ownerId, storage],
    );
  }
}
