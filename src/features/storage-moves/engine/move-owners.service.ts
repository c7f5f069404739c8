import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { OWNER_TABLES, type OwnerType } from '#core/repositories/repository-ref.js';
import { MOVE_KINDS } from '../storage-move.js';

/** An owner as far as moves are concerned. */
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

/** Owners of repositories: whoever moves, removes or pushes takes their rows first, before that of the move. */
@Injectable()
export class MoveOwnersService {
  /** The owner, locked until `tx` ends; null for one that is gone or about to go. */
  async lock(tx: Tx, { ownerType, ownerId }: OwnerRef): Promise<MoveOwner | null> {
    const [owner] = await tx.query<MoveOwner[]>(find(ownerType), [ownerId]);
    return owner ?? null;
  }

  /** Lets the owner be changed again, or not. One that is gone is nobody's concern. */
  async setReadOnly(tx: Tx, { ownerType, ownerId }: OwnerRef, readOnly: boolean): Promise<void> {
    await tx.query(`update ${OWNER_TABLES[ownerType]} set repository_read_only = $2 where id = $1`, [
      ownerId,
      readOnly,
    ]);
  }

  /** Gives the owner its new storage. */
  async place(tx: Tx, { ownerType, ownerId }: OwnerRef, storage: string): Promise<void> {
    await tx.query(
      `update ${OWNER_TABLES[ownerType]} set repository_storage = $2, updated_at = now() where id = $1`,
      [ownerId, storage],
    );
  }
}
