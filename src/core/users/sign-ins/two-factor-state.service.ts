import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Tx } from '#kernel/database/transactions.js';
import { logger } from '#kernel/log/logger.js';
import { requestContext } from '#kernel/log/request-context.js';
import { User } from '../user.entity.js';

/** What the rows of users say of second factors: whether there is one, and since when it is missed. */
@Injectable()
export class TwoFactorStateService {
  constructor(private readonly dataSource: DataSource) {}

  /** Keeps the flag in step with the second factor that the same transaction adds or removes. */
  async mark(tx: Tx, userId: number, twoFactorEnabled: boolean): Promise<void> {
    await tx.update(User, { id: userId }, { twoFactorEnabled });
  }

  /** Starts the time that a user has to set one up, unless it runs already; beside the request. */
  startGrace(userId: number): void {
    const text = `update users set two_factor_grace_started_at = now()
      where id = $1 and two_factor_grace_started_at is null`;
    requestContext.exit(() => {
      this.dataSource
        .query(text, [userId])
        .catch((error: unknown) => logger.warn({ error }, 'The start of a grace period was not noted'));
    });
  }

  /** Gives everybody their time anew, when the instance begins to ask for second factors. */
  async forgetGraces(tx: Tx): Promise<void> {
    await tx.query(
      'update users set two_factor_grace_started_at = null where two_factor_grace_started_at is not null',
    );
  }
}
