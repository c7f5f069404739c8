import { Module } from '@nestjs/common';
import { AlertIntegrationsModule } from '#features/alerts/integrations/alert-integrations.module.js';
import { TestAlertsModule } from '#features/alerts/integrations/testing/test-alerts.module.js';
import { AlertIntegrationActionsController } from './alert-integration-actions.controller.js';
import { AlertIntegrationPagesController } from './alert-integration-pages.controller.js';
import { AlertTestsController } from './alert-tests.controller.js';
import { IntegrationPagesService } from './integration-pages.service.js';

/** Module of the pages on which a project's alert integrations are configured and tested. */
@Module({
  imports: [AlertIntegrationsModule, TestAlertsModule],
  controllers: [AlertIntegrationPagesController, AlertIntegrationActionsController, AlertTestsController],
  providers: [IntegrationPagesService],
})
export class AlertIntegrationPagesModule {}
