import { Module } from '@nestjs/common';

/** Alerts as people see and handle them. */
@Module({})
export class AlertsModule {}
