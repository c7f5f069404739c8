import { Module } from '@nestjs/common';
import { ErrorStatusService } from './error-status.service.js';
import { ErrorsController } from './errors.controller.js';
import { ErrorQueries } from './errors.queries.js';

/** Errors as people read and settle them. */
@Module({
  controllers: [ErrorsController],
  providers: [ErrorQueries, ErrorStatusService],
  exports: [ErrorQueries, ErrorStatusService],
})
export class ErrorsModule {}
