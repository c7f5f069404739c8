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
import { UploadMetricImage } from './images/upload-metric-image.use-case.js';
import { ReplayAlert } from './replay-alert.use-case.js';
import { UpdateAlert } from './update-alert.use-case.js';

/** Alerts as users see and handle them. */
@Module({
  imports: [TypeOrmModule.forFeature([Alert]), IssuablesModule, AlertIntakeModule],
  controllers: [AlertsController, MetricImagesController],
  providers: [
    AlertsQueries,
    UpdateAlert,
    ReplayAlert,
    AlertsListener,
    MetricImagesQueries,
    UploadMetricImage,
    MetricImagesService,
  ],
  exports: [AlertsQueries],
})
export class AlertsModule {}
