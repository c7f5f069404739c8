import { Module } from '@nestjs/common';
import { AlertIntegrationsModule } from '#features/alerts/integrations/alert-integrations.module.js';
import { TestAlertsModule } from '#features/alerts/integrations/testing/test-alerts.module.js';
import { AlertIntegrationActionsController } from './alert-integration-actions.controller.js';
import { AlertIntegrationPagesController } from './alert-integration-pages.controller.js';
import { AlertTestsController } from './alert-tests.controller.js';
import { IntegrationPagesService } from './integration-pages.service.js';

/** The pages on which alert integrations of a project are set up and tried. */
@Module({
  imports: [AlertIntegrationsModule, TestAlertsModule],
  controllers: [AlertIntegrationPagesController, AlertIntegrationActionsController, AlertTestsController],
  providers: [IntegrationPagesService],
})
export class AlertIntegrationPagesModule {}
