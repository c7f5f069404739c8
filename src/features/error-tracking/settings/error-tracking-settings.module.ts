import { Module } from '@nestjs/common';

/** Whether a project tracks errors, and the keys of its applications. */
@Module({})
export class ErrorTrackingSettingsModule {}
