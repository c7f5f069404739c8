import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden, invalid } from '#kernel/http/errors.js';
import { User } from '../user.entity.js';
import { emailTaken, usernameTaken } from './user-errors.js';

interface Names {
  readonly email?: string;
  readonly username?: string;
  readonly provider?: string;
  readonly extern_uid?: string;
}

/**
 * Checks of uniqueness over all users, and of the last administrator. Unique indexes catch concurrent
 * writers.
 */
@Injectable()
export class UserUniquenessService {
  /**
   * Asserts uniqueness. @throws 409 if the address, then the username, belongs to another user; 400 if the
   * identity does
   */
  async assert(tx: Tx, { email, username, provider, extern_uid: uid }: Names, userId: number): Promise<void> {
    if (email !== undefined && (await this.isEmailTaken(tx, email, userId))) throw emailTaken();
    if (username !== undefined && (await this.exists(tx, 'lower(username) = lower($1)', [username, userId])))
      throw usernameTaken();
    if ((provider ?? '') === '' || (uid ?? '') === '') return;
    const identity = JSON.stringify([{ provider, extern_uid: uid }]);
    if (await this.exists(tx, 'identities @> $1::jsonb', [identity, userId]))
      throw invalid({ 'identities.extern_uid': ['has already been taken'] });
  }

  /**
   * Returns whether a user other than `userId` has the address, as primary or as confirmed secondary one.
   * Writers of one address are serialized, because no index spans both tables.
   */
  async isEmailTaken(tx: Tx, email: string, userId: number | null): Promise<boolean> {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('email ' || lower($1), 0))`, [email]);
    const rows = await tx.query<unknown[]>(
      `select 1 from users where lower(email) = lower($1) and id is distinct from $2
       union all select 1 from user_emails where lower(email) = lower($1) and confirmed_at is not null
         and user_id is distinct from $2 limit 1`,
      [email, userId],
    );
    return rows.length > 0;
  }

  /**
   * Asserts that an active administrator remains without this user; those who remove each other at the same
   * moment are serialized. @throws 403
   */
  async assertAdministratorRemains(tx: Tx, userId: number): Promise<void> {
    if (!(await tx.existsBy(User, { id: userId, admin: true }))) return;
    const rows = await tx.query<{ id: number }[]>(
      `select id from users where admin and state = 'active' order by id for update`,
    );
    if (!rows.some(({ id }) => id !== userId)) throw forbidden('An active administrator must remain');
  }

  private async exists(tx: Tx, condition: string, values: readonly unknown[]): Promise<boolean> {
    const rows = await tx.query<unknown[]>(`select 1 from users where ${condition} and id <> $2 limit 1`, [
      ...values,
    ]);
    return rows.length > 0;
  }
}
