import { Module } from '@nestjs/common';
import { AlertIntakeModule } from '../../intake/alert-intake.module.js';
import { AlertIntegrationsModule } from '../alert-integrations.module.js';
import { TestAlertsController } from './test-alerts.controller.js';
import { TestAlertsService } from './test-alerts.service.js';

/** Tests of integrations: a separate module, because the intake is needed too. */
@Module({
  imports: [AlertIntegrationsModule, AlertIntakeModule],
  controllers: [TestAlertsController],
  providers: [TestAlertsService],
  exports: [TestAlertsService],
})
export class TestAlertsModule {}
