import { Module } from '@nestjs/common';

/** The page on which alert integrations of a project are set up. */
@Module({})
export class AlertIntegrationPagesModule {}
