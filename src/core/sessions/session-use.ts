import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { logger } from '#kernel/log/logger.js';
import { requestContext } from '#kernel/log/request-context.js';
import { SessionsService } from './sessions.service.js';

/** Puts off the end of a session that is in use: at most every ten minutes, beside the request. */
@Injectable()
export class SessionUse {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
  ) {}

  record(sessionId: number): void {
    const values = [sessionId, this.sessions.expiry()];
    requestContext.exit(() => {
      this.dataSource
        .query('update sessions set expires_at = $2, updated_at = now() where id = $1', values)
        .catch((error: unknown) => logger.warn({ error }, 'The use of a session was not noted'));
    });
  }
}
