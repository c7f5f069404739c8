import { Module } from '@nestjs/common';

/** Migrations over REST. */
@Module({})
export class BulkImportsModule {}
