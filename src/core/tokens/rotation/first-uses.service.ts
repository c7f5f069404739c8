import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { PreparedStatement } from '#kernel/database/statements/prepared.js';
import { SingleStatements } from '#kernel/database/statements/single-statements.js';
import { logger } from '#kernel/log/logger.js';
import { requestContext } from '#kernel/log/request-context.js';

/** Tables of credentials for single use: codes, refresh tokens, and personal tokens, which are rotated. */
export type UsedOnce = 'oauth_grants' | 'oauth_tokens' | 'personal_access_tokens';

// Committed asynchronously: if it is lost, the minute below applies.
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
 * SQL for the time after which another use is a reuse; null while unused. If the process crashed before it
 * could record that time, a minute after the first use, which no transaction outlives.
 */
export const settledSql = (alias: string, usedAt: 'used_at' | 'refreshed_at' | 'updated_at'): string =>
  `coalesce(${alias}.settled_at, ${alias}.${usedAt} + interval '1 minute')`;

/** A first use to which this process responds. */
interface Answered {
  readonly settledAt: number;
  /** By the clock of this process: that of the machine may be set back. */
  leftAt: number;
}

/** Limit of remembered first uses: the latest. */
const MAX_ANSWERED = 1_000;

/**
 * Records when first uses of codes and refresh tokens, and rotations, were committed. Only that time
 * distinguishes a request that lost a race from a reuse: it is unknown within the transaction, and other
 * requests arrive during the commit.
 */
@Injectable()
export class FirstUsesService {
  private readonly answered = new LRUCache<string, Answered>({ max: MAX_ANSWERED });

  constructor(private readonly statements: SingleStatements) {}

  /**
   * Records that the first use was just committed. Never throws: the tokens exist, and their client must
   * receive them.
   */
  async settle(table: UsedOnce, id: number): Promise<void> {
    const settledAt = new Date();
    const answer = { settledAt: settledAt.getTime(), leftAt: Number.POSITIVE_INFINITY };
    this.answered.set(`${table} ${id}`, answer);
    try {
      await this.statements.run(SETTLE[table], [id, settledAt]);
    } catch (error) {
      logger.warn({ error }, 'The time of an exchange was not recorded');
    }
    afterResponse(() => {
      answer.leftAt = performance.now();
    });
  }

  /**
   * Returns whether the current request reuses something whose first use was committed at `settledAt`. A
   * reuse is impossible before the response was sent: if this process sent it, that time counts.
   */
  cameAgain(table: UsedOnce, id: number, settledAt: Date): boolean {
    const { arrivedAt = Date.now(), startedAt = performance.now() } = requestContext.getStore() ?? {};
    const answer = this.answered.get(`${table} ${id}`);
    return answer?.settledAt === settledAt.getTime()
      ? startedAt >= answer.leftAt
      : arrivedAt > settledAt.getTime();
  }
}

/** Runs it once the response of the current request was sent, or its client is gone. */
function afterResponse(run: () => void): void {
  const response = requestContext.getStore()?.response;
  if (!response || response.destroyed) run();
  else response.once('close', run);
}
