import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { logger } from '#kernel/log/logger.js';
import { requestContext } from '#kernel/log/request-context.js';
import { SessionsService } from './sessions.service.js';

/** A remembered session never ends earlier than promised. */
const PUT_OFF = `update sessions set updated_at = now(),
  expires_at = case when remembered then greatest(expires_at, $2) else $2 end where id = $1`;

/** Extends a session in use: at most every ten minutes, without delaying the request. */
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
        .catch((error: unknown) => logger.warn({ error }, 'The use of a session was not recorded'));
    });
  }
}
