import { Module } from '@nestjs/common';
import { AlertsModule } from '#features/alerts/alerts/alerts.module.js';
import { AlertPagesController } from './alert-pages.controller.js';

/** Module of the alert page, which incidents and emails link to. */
@Module({ imports: [AlertsModule], controllers: [AlertPagesController] })
export class AlertPagesModule {}
