import { Module } from '@nestjs/common';
import { IidsModule } from '#core/iids/iids.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { AlertIntegrationsModule } from '../integrations/alert-integrations.module.js';
import { AlertIntakeController } from './alert-intake.controller.js';
import { AlertIntakeService } from './alert-intake.service.js';
import { IntakeAccessPolicy } from './requests/intake-access.policy.js';
import { PayloadsService } from './requests/payloads.service.js';
import { AlertQueueService } from './store/alert-queue.service.js';
import { AlertStoreService } from './store/alert-store.service.js';
import { FirstAlertsService } from './store/first-alerts.service.js';

/** Receives payloads of monitoring tools. */
@Module({
  imports: [AlertIntegrationsModule, IidsModule, InstanceModule],
  controllers: [AlertIntakeController],
  providers: [
    AlertIntakeService,
    AlertQueueService,
    AlertStoreService,
    FirstAlertsService,
    IntakeAccessPolicy,
    PayloadsService,
  ],
  exports: [AlertIntakeService, PayloadsService],
})
export class AlertIntakeModule {}
