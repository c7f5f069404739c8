import { Module } from '@nestjs/common';

/** The pages that show the errors of a project. */
@Module({})
export class ErrorTrackingPagesModule {}
