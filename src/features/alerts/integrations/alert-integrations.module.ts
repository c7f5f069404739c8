import { Module } from '@nestjs/common';

/** Where alerts of a project come from, and the keys that let them in. */
@Module({})
export class AlertIntegrationsModule {}
