import { Injectable } from '@nestjs/common';
import type { PreparedStatement } from '#kernel/database/prepared.js';
import { SingleStatements } from '#kernel/database/single-statements.js';
import { logger } from '#kernel/log/logger.js';

// Nobody waits for the disk for this: without it the minute below counts.
const settle = (table: 'oauth_grants' | 'oauth_tokens' | 'personal_access_tokens'): PreparedStatement => ({
  name: `settle_${table}`,
  text: `with hurry as materialized (select set_config('synchronous_commit', 'off', true))
   update ${table} set settled_at = $2 from hurry where id = $1 and settled_at is null`,
});

const SETTLE_GRANT = settle('oauth_grants');
const SETTLE_TOKEN = settle('oauth_tokens');
const SETTLE_ROTATED = settle('personal_access_tokens');

/**
 * SQL for the time after which whoever arrives uses something again, or null while it is unused. Where the process died before
 * it could note that time, it is a minute after the first use, which no transaction outlives.
 */
export const settledSql = (alias: string, usedAt: 'used_at' | 'refreshed_at' | 'updated_at'): string =>
  `coalesce(${alias}.settled_at, ${alias}.${usedAt} + interval '1 minute')`;

/** When the answers to first uses left this process, by the times of their commits; of the last ones. */
const answered = new Map<number, number>();
const MAX_ANSWERED = 1_000;

/**
 * Whether a request came again to something whose first use was committed at `settledAt`. Nobody can come again before the answer has left: where
 * this process gave it, that time counts.
 */
export function cameAgain(arrivedAt: number, settledAt: Date): boolean {
  const leftAt = answered.get(settledAt.getTime());
  return leftAt === undefined ? arrivedAt > settledAt.getTime() : arrivedAt >= leftAt;
}

/**
 * Notes when first uses of codes and refresh tokens, and rotations, were committed. Only that time tells a request that has lost a race from
 * one that comes again: within the transaction it is not known yet, and others arrive while the commit is on its way.
 */
@Injectable()
export class FirstUses {
  constructor(private readonly statements: SingleStatements) {}

  /** The exchange of a code has just been committed. */
  settleGrant(id: number): Promise<void> {
    return this.settle(SETTLE_GRANT, id);
  }

  /** The refresh of a token has just been committed. */
  settleToken(id: number): Promise<void> {
    return this.settle(SETTLE_TOKEN, id);
  }

  /** The rotation of a personal token, or one like it, has just been committed. */
  settleRotated(id: number): Promise<void> {
    return this.settle(SETTLE_ROTATED, id);
  }

  /** Never throws: the tokens are made, and their client must get them. */
  private async settle(statement: PreparedStatement, id: number): Promise<void> {
    const settledAt = new Date();
    const [oldest] = answered.keys();
    if (answered.size >= MAX_ANSWERED && oldest !== undefined) answered.delete(oldest);
    answered.set(settledAt.getTime(), Number.POSITIVE_INFINITY);
    try {
      await this.statements.run(statement, [id, settledAt]);
    } catch (error) {
      logger.warn({ error }, 'The time of an exchange was not noted');
    }
    answered.set(settledAt.getTime(), Date.now());
  }
}
