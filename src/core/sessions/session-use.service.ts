import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { logger } from '#kernel/log/logger.js';
import { requestContext } from '#kernel/log/request-context.js';
import { SessionsService } from './sessions.service.js';

/** A session that is remembered never ends earlier than was promised. */
const PUT_OFF = `update sessions set updated_at = now(),
  expires_at = case when remembered then greatest(expires_at, $2) else $2 end where id = $1`;

/** Puts off the end of a session that is in use: at most every ten minutes, beside the request. */
@Injectable()
export class SessionUseService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
  ) {}

  record(sessionId: number): void {
    const values = [sessionId, this.sessions.expiry()];
    requestContext.exit(() => {
      this.dataSource
        .query(PUT_OFF, values)
        .catch((error: unknown) => logger.warn({ error }, 'The use of a session was not noted'));
    });
  }
}
