import { Module } from '@nestjs/common';
import { IidsModule } from '#core/iids/iids.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { AlertIntegrationsModule } from '../integrations/alert-integrations.module.js';
import { AlertIntakeController } from './alert-intake.controller.js';
import { AlertIntakeService } from './alert-intake.service.js';
import { IntakeAccess } from './requests/intake-access.js';
import { Payloads } from './requests/payloads.js';
import { AlertQueue } from './store/alert-queue.js';
import { AlertStore } from './store/alert-store.js';
import { FirstAlerts } from './store/first-alerts.js';

/** Takes in what monitoring tools send. */
@Module({
  imports: [AlertIntegrationsModule, IidsModule, InstanceModule],
  controllers: [AlertIntakeController],
  providers: [AlertIntakeService, AlertQueue, AlertStore, FirstAlerts, IntakeAccess, Payloads],
  exports: [AlertIntakeService, Payloads],
})
export class AlertIntakeModule {}
