import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { unavailable } from '#kernel/http/errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';

/** An upload that has not been kept by then is removed. */
const GRACE = "interval '1 day'";

/**
 * Objects that no row holds (yet). Whoever writes an object claims its key first, and keeps it in the transaction that inserts the row
 * which names it: what a killed process has written, and what a failed transaction leaves, is removed after a day. Tables with a column
 * `object_key` and the trigger `release_object` give the key back when a row goes, also by a cascade.
 */
@Injectable()
export class ObjectClaims {
  constructor(private readonly transactions: Transactions) {}

  /** A new key below `folder` (such as `artifacts/12`), claimed for a day. */
  async claim(folder: string): Promise<string> {
    const key = `${folder}/${randomBytes(16).toString('hex')}`;
    await this.transactions.run((tx) =>
      tx.query(`insert into object_claims (object_key, due_at) values ($1, now() + ${GRACE})`, [key]),
    );
    return key;
  }

  /**
   * The object belongs to a row of this transaction now.
   * @throws 503 when the claim has run out: the object may be gone, and is to be sent again
   */
  async keep(tx: Tx, key: string): Promise<void> {
    const [claim] = await tx.query<unknown[]>(
      `with kept as (delete from object_claims where object_key = $1 and due_at > now() returning 1) select 1 from kept`,
      [key],
    );
    if (!claim) throw unavailable();
  }

  /** The object is not needed: it is removed soon. */
  async giveUp(key: string): Promise<void> {
    await this.transactions.run((tx) =>
      tx.query('update object_claims set due_at = now() where object_key = $1', [key]),
    );
  }
}
