import { Module } from '@nestjs/common';
import { AlertsModule } from '#features/alerts/alerts/alerts.module.js';
import { AlertPagesController } from './alert-pages.controller.js';

/** The page that incidents and mails lead to. */
@Module({ imports: [AlertsModule], controllers: [AlertPagesController] })
export class AlertPagesModule {}
