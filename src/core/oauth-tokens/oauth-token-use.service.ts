import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { logger } from '#kernel/log/logger.js';
import { requestContext } from '#kernel/log/request-context.js';

const NOTE = `with used as (update oauth_tokens set last_used_at = now()
    where id = $1 and (last_used_at is null or last_used_at < now() - interval '10 minutes'))
  update users set last_activity_on = current_date where id = $2 and last_activity_on is distinct from current_date`;

/**
 * Records the last activity of an OAuth token and its user: at most every ten minutes, without delaying the
 * request.
 */
@Injectable()
export class OauthTokenUseService {
  constructor(private readonly dataSource: DataSource) {}

  record(tokenId: number, userId: number): void {
    // Run outside of the request context: this statement is not part of the request.
    requestContext.exit(() => {
      this.dataSource
        .query(NOTE, [tokenId, userId])
        .catch((error: unknown) => logger.warn({ error }, 'The use of a token was not recorded'));
    });
  }
}
