import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertIntegration } from './alert-integration.entity.js';
import { IntegrationLookup } from './integration-lookup.queries.js';

/** Where alerts of a project come from, and the keys that let them in. */
@Module({
  imports: [TypeOrmModule.forFeature([AlertIntegration])],
  providers: [IntegrationLookup],
  exports: [IntegrationLookup],
})
export class AlertIntegrationsModule {}
