import { Module } from '@nestjs/common';

/** What follows from alerts: incidents and mails. */
@Module({})
export class AlertIncidentsModule {}
