import { Module } from '@nestjs/common';

/** Errors as people read and settle them. */
@Module({})
export class ErrorsModule {}
