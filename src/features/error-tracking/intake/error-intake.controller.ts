import { Controller, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Access } from '#kernel/access/access.js';
import { Params } from '#kernel/http/fields/params.js';
import { RawBody } from '#kernel/http/bodies/raw-body.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { ErrorIntakeProjectParams } from './error-intake.params.js';
import { ErrorIntakeService } from './error-intake.service.js';
import { StoredErrorEventRecord } from './stored-event.record.js';

/** Intake at the URLs that SDKs derive from both kinds of DSN (`ops.md` 6.3). */
@Controller(['api/v4/error_tracking/collector/api', 'errortracking/api/v1/projects/api'])
export class ErrorIntakeController {
  constructor(private readonly intake: ErrorIntakeService) {}

  /** Receives an envelope: events, and other items that are not stored. */
  @Post(':id/envelope')
  @Access({ credential: 'dsn' })
  @RawBody()
  @Returns(StoredErrorEventRecord)
  async envelope(
    @Req() request: Request,
    @Params() { id }: ErrorIntakeProjectParams,
  ): Promise<StoredErrorEventRecord> {
    return present(await this.intake.takeEnvelope(request, id));
  }

  /** Receives a single event. */
  @Post(':id/store')
  @Access({ credential: 'dsn' })
  @RawBody()
  @Returns(StoredErrorEventRecord)
  async store(
    @Req() request: Request,
    @Params() { id }: ErrorIntakeProjectParams,
  ): Promise<StoredErrorEventRecord> {
    return present(await this.intake.takeEvent(request, id));
  }
}

const present = (id: string | null): StoredErrorEventRecord => (id === null ? {} : { id });
