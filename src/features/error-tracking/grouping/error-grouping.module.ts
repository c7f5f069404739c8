import { Module } from '@nestjs/common';

/** Adds events to their errors, in batches behind the intake. */
@Module({})
export class ErrorGroupingModule {}
