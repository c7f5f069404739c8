import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { logger } from '#kernel/log/logger.js';
import { requestContext } from '#kernel/log/request-context.js';
import { TOKEN_UNUSED } from './token-state.sql.js';

/** Tables of tokens with which a user's rights apply. */
export type UserTokens = 'personal_access_tokens' | 'oauth_tokens';

/**
 * Records the last activity of a token and its user: at most every ten minutes, without delaying the request.
 */
@Injectable()
export class TokenUseService {
  constructor(private readonly dataSource: DataSource) {}

  record(table: UserTokens, tokenId: number, userId: number): void {
    // Run outside of the request context: these statements are not part of the request.
    requestContext.exit(() => {
      this.write(table, tokenId, userId).catch((error: unknown) =>
        logger.warn({ error }, 'The use of a token was not recorded'),
      );
    });
  }

  private async write(table: UserTokens, tokenId: number, userId: number): Promise<void> {
    await this.dataSource.query(
      `update ${table} set last_used_at = now() where id = $1 and ${TOKEN_UNUSED}`,
      [tokenId],
    );
    await this.dataSource.query(
      'update users set last_activity_on = current_date where id = $1 and last_activity_on is distinct from current_date',
      [userId],
    );
  }
}
