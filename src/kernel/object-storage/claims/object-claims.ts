import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { unavailable } from '#kernel/http/errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { logger } from '#kernel/log/logger.js';

/** An upload that is not kept within this time is removed. */
const GRACE = "interval '1 day'";
const RENEW_EVERY_MS = 3_600_000;

/** Whether the service gave an object this key: a bucket may hold other objects, such as backups. */
export const isClaimable = (key: string): boolean => /^[a-z-]+(\/\d+)?\/[0-9a-f]{32}$/.test(key);

/**
 * Objects that are not referenced by a row (yet). The writer of an object claims its key first, and keeps it
 * in the transaction that inserts the row with the key. What a killed process or a failed transaction leaves
 * behind is removed after a day. Tables with a column `object_key` and the trigger `release_object` release
 * the key when a row is deleted, also by a cascade.
 */
@Injectable()
export class ObjectClaims {
  private readonly renewEveryMs = RENEW_EVERY_MS;

  constructor(private readonly transactions: Transactions) {}

  /** Claims a new key below `folder` (such as `artifacts/12`) for a day. */
  async claim(folder: string): Promise<string> {
    const key = `${folder}/${randomBytes(16).toString('hex')}`;
    await this.transactions.run((tx) =>
      tx.query(`insert into object_claims (object_key, due_at) values ($1, now() + ${GRACE})`, [key]),
    );
    return key;
  }

  /** Renews a claim while `write` writes its object, which may arrive more slowly than claims expire. */
  async renewedWhile<T>(key: string, write: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => void this.renew(key), this.renewEveryMs).unref();
    try {
      return await write();
    } finally {
      clearInterval(timer);
    }
  }

  /**
   * Keeps the object for a row of this transaction.
   * @throws 503 if the claim has expired: the object may have been removed and must be sent again
   */
  async keep(tx: Tx, key: string): Promise<void> {
    const [claim] = await tx.query<unknown[]>(
      `with kept as (delete from object_claims where object_key = $1 and due_at > now() returning 1) select 1 from kept`,
      [key],
    );
    if (!claim) throw unavailable();
  }

  /** Releases an unneeded object, which is removed soon. */
  async giveUp(key: string): Promise<void> {
    await this.transactions.run((tx) =>
      tx.query('update object_claims set due_at = now() where object_key = $1', [key]),
    );
  }

  /** A claim that has expired stays so: its object may be removed just now. */
  private async renew(key: string): Promise<void> {
    await this.transactions
      .run((tx) =>
        tx.query(
          `update object_claims set due_at = now() + ${GRACE} where object_key = $1 and due_at > now()`,
          [key],
        ),
      )
      .catch((error: unknown) => logger.warn({ error, key }, 'The claim of an upload was not renewed'));
  }
}
