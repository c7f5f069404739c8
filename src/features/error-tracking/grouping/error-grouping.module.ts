import { Module } from '@nestjs/common';
import { GroupingService } from './grouping.service.js';

/** Adds events to their errors, in batches behind the intake. */
@Module({ providers: [GroupingService], exports: [GroupingService] })
export class ErrorGroupingModule {}
