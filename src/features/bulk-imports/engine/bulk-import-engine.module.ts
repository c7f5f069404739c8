import { Module } from '@nestjs/common';

/** Carries migrations out. */
@Module({})
export class BulkImportEngineModule {}
