import { Module } from '@nestjs/common';

/** Shells, members, children and repositories of what is migrated. */
@Module({})
export class BulkImportStepsModule {}
