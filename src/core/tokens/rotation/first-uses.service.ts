import { Injectable } from '@nestjs/common';
import type { PreparedStatement } from '#kernel/database/statements/prepared.js';
import { SingleStatements } from '#kernel/database/statements/single-statements.js';
import { logger } from '#kernel/log/logger.js';
import { requestContext } from '#kernel/log/request-context.js';

/** Tables of what may be used once: codes, refresh tokens, and personal tokens, which are rotated. */
export type UsedOnce = 'oauth_grants' | 'oauth_tokens' | 'personal_access_tokens';

// Nobody waits for the disk for this: without it the minute below counts.
const settle = (table: UsedOnce): PreparedStatement => ({
  name: `settle_${table}`,
  text: `with hurry as materialized (select set_config('synchronous_commit', 'off', true))
   update ${table} set settled_at = $2 from hurry where id = $1 and settled_at is null`,
});

const SETTLE = {
  oauth_grants: settle('oauth_grants'),
  oauth_tokens: settle('oauth_tokens'),
  personal_access_tokens: settle('personal_access_tokens'),
} as const;

/**
 * SQL for the time after which whoever arrives uses something again, or null while it is unused. Where the process died before
 * it could note that time, it is a minute after the first use, which no transaction outlives.
 */
export const settledSql = (alias: string, usedAt: 'used_at' | 'refreshed_at' | 'updated_at'): string =>
  `coalesce(${alias}.settled_at, ${alias}.${usedAt} + interval '1 minute')`;

/** A first use whose answer this process gives. */
interface Answered {
  readonly settledAt: number;
  leftAt: number;
}

/** First uses that are remembered, the last ones. */
const MAX_ANSWERED = 1_000;

/**
 * Notes when first uses of codes and refresh tokens, and rotations, were committed. Only that time tells a request that has lost a race from
 * one that comes again: within the transaction it is not known yet, and others arrive while the commit is on its way.
 */
@Injectable()
export class FirstUsesService {
  private readonly answered = new Map<string, Answered>();

  constructor(private readonly statements: SingleStatements) {}

  /** The first use has just been committed. Never throws: the tokens are made, and their client must get them. */
  async settle(table: UsedOnce, id: number): Promise<void> {
    const settledAt = new Date();
    const answer = { settledAt: settledAt.getTime(), leftAt: Number.POSITIVE_INFINITY };
    this.remember(`${table} ${id}`, answer);
    try {
      await this.statements.run(SETTLE[table], [id, settledAt]);
    } catch (error) {
      logger.warn({ error }, 'The time of an exchange was not noted');
    }
    answer.leftAt = Date.now();
  }

  /**
   * Whether the running request came again to something whose first use was committed at `settledAt`. Nobody can come again before the answer
   * has left: where this process gave it, that time counts.
   */
  cameAgain(table: UsedOnce, id: number, settledAt: Date): boolean {
    const arrivedAt = requestContext.getStore()?.arrivedAt ?? Date.now();
    const answer = this.answered.get(`${table} ${id}`);
    return answer?.settledAt === settledAt.getTime()
      ? arrivedAt >= answer.leftAt
      : arrivedAt > settledAt.getTime();
  }

  private remember(key: string, answer: Answered): void {
    const [oldest] = this.answered.keys();
    if (this.answered.size >= MAX_ANSWERED && oldest !== undefined) this.answered.delete(oldest);
    this.answered.set(key, answer);
  }
}
