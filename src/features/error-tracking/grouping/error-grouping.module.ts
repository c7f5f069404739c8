import { Module } from '@nestjs/common';
import { Grouping } from './grouping.js';

/** Adds events to their errors, in batches behind the intake. */
@Module({ providers: [Grouping], exports: [Grouping] })
export class ErrorGroupingModule {}
