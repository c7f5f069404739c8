import { Module } from '@nestjs/common';
import { GroupingService } from './grouping.service.js';

/** Adds events to their errors, in batches after the intake. */
@Module({ providers: [GroupingService], exports: [GroupingService] })
export class ErrorGroupingModule {}
