import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Tx } from '#kernel/database/transactions.js';
import { logger } from '#kernel/log/logger.js';
import { requestContext } from '#kernel/log/request-context.js';
import { User } from '../user.entity.js';

/**
 * State of second factors in the rows of users: whether there is one, and since when a required one is
 * missing.
 */
@Injectable()
export class TwoFactorStateService {
  constructor(private readonly dataSource: DataSource) {}

  /** Updates the flag after the same transaction added or removed a second factor. */
  async mark(tx: Tx, userId: number, twoFactorEnabled: boolean): Promise<void> {
    await tx.update(User, { id: userId }, { twoFactorEnabled });
  }

  /**
   * Starts the grace period for setting up a second factor, unless it has started; does not delay the
   * request.
   */
  startGrace(userId: number): void {
    const text = `update users set two_factor_grace_started_at = now()
      where id = $1 and two_factor_grace_started_at is null`;
    requestContext.exit(() => {
      this.dataSource
        .query(text, [userId])
        .catch((error: unknown) => logger.warn({ error }, 'The start of a grace period was not recorded'));
    });
  }

  /** Restarts the grace period of all users, when the instance begins to require second factors. */
  async forgetGraces(tx: Tx): Promise<void> {
    await tx.query(
      'update users set two_factor_grace_started_at = null where two_factor_grace_started_at is not null',
    );
  }
}
