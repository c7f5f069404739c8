import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { OpenRepository } from '../../repositories.service.js';
import type { RefChange } from '../ref-change.js';

/** Writes what was read, in the transaction that records the push. `userId`: as in RefsPushed. */
export type WriteOfPush = (tx: Tx, userId: number | null) => Promise<void>;

/** Reads what a push has changed; null if there is nothing to write. */
type PushReader = (repository: OpenRepository, changes: readonly RefChange[]) => Promise<WriteOfPush | null>;

/**
 * Registry of what is read with git before a push is recorded: git may take long, and a transaction that waited for
 * it would block the owner of the repository, and a connection that all others need.
 */
@Injectable()
export class PushReadersRegistry {
  private readonly readers: PushReader[] = [];

  register(reader: PushReader): void {
    this.readers.push(reader);
  }

  /** Reads everything; the result writes it. */
  async read(repository: OpenRepository, changes: readonly RefChange[]): Promise<WriteOfPush> {
    const writes: WriteOfPush[] = [];
    for (const reader of this.readers) {
      const write = await reader(repository, changes);
      if (write) writes.push(write);
    }
    return async (tx, userId) => {
      for (const write of writes) await write(tx, userId);
    };
  }
}
