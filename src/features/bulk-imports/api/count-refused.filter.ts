import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '#kernel/access/caller.js';
import { sendError } from '#kernel/http/exception.filter.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { BulkImportCreationLimit } from './creation/bulk-import-creation.limit.js';

/**
 * Counts requests for migrations that are rejected because of invalid parameters, before any other code can
 * count them (`ops.md` 1.1).
 */
@Catch()
export class CountRefused implements ExceptionFilter {
  constructor(private readonly limit: BulkImportCreationLimit) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const actor = request.bound === undefined ? (request.access as Caller | undefined)?.actor : null;
    const refusal: unknown = actor
      ? await this.limit.admit(actor.id).catch((tooMany: unknown) => tooMany)
      : undefined;
    sendError(request, host.switchToHttp().getResponse<Response>(), refusal ?? error);
  }
}
