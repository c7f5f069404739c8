import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { AlertIntegration } from './alert-integration.entity.js';
import { AlertIntegrationsController } from './alert-integrations.controller.js';
import { AlertIntegrationsPresenter } from './alert-integrations.presenter.js';
import { AlertIntegrationsQueries } from './alert-integrations.queries.js';
import { AlertIntegrationsService } from './alert-integrations.service.js';
import { IntegrationAudit } from './integration.audit.js';
import { IntegrationKeysService } from './keys/integration-keys.service.js';
import { IntegrationLookupQueries } from './keys/integration-lookup.queries.js';

/** Sources of alerts of projects, and their keys. */
@Module({
  imports: [TypeOrmModule.forFeature([AlertIntegration]), AuditModule],
  controllers: [AlertIntegrationsController],
  providers: [
    AlertIntegrationsService,
    AlertIntegrationsQueries,
    AlertIntegrationsPresenter,
    IntegrationKeysService,
    IntegrationAudit,
    IntegrationLookupQueries,
  ],
  exports: [
    AlertIntegrationsService,
    AlertIntegrationsQueries,
    AlertIntegrationsPresenter,
    IntegrationLookupQueries,
  ],
})
export class AlertIntegrationsModule {}
