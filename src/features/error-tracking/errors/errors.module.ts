import { Module } from '@nestjs/common';
import { ErrorStatusService } from './error-status.service.js';
import { ErrorsController } from './errors.controller.js';
import { ErrorsQueries } from './errors.queries.js';

/** Errors as users read and resolve them. */
@Module({
  controllers: [ErrorsController],
  providers: [ErrorsQueries, ErrorStatusService],
  exports: [ErrorsQueries, ErrorStatusService],
})
export class ErrorsModule {}
