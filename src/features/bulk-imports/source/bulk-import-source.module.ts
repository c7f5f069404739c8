import { Module } from '@nestjs/common';

/** Reading another instance. */
@Module({})
export class BulkImportSourceModule {}
