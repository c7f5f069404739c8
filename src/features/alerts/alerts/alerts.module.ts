import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IssuablesModule } from '#core/issuables/issuables.module.js';
import { AlertIntakeModule } from '../intake/alert-intake.module.js';
import { Alert } from './alert.entity.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsListener } from './alerts.listener.js';
import { AlertsQueries } from './alerts.queries.js';
import { MetricImagesController } from './images/metric-images.controller.js';
import { MetricImagesQueries } from './images/metric-images.queries.js';
import { MetricImagesService } from './images/metric-images.service.js';
import { MetricImageUploads } from './images/upload-metric-image.js';
import { AlertReplay } from './replay-alert.js';
import { AlertUpdate } from './update-alert.js';

/** Alerts as people see and handle them. */
@Module({
  imports: [TypeOrmModule.forFeature([Alert]), IssuablesModule, AlertIntakeModule],
  controllers: [AlertsController, MetricImagesController],
  providers: [
    AlertsQueries,
    AlertUpdate,
    AlertReplay,
    AlertsListener,
    MetricImagesQueries,
    MetricImageUploads,
    MetricImagesService,
  ],
  exports: [AlertsQueries],
})
export class AlertsModule {}
