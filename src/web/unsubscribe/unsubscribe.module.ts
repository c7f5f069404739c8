import { Module } from '@nestjs/common';
import { NotificationsModule } from '#features/notifications/notifications.module.js';
import { UnsubscribeController } from './unsubscribe.controller.js';

/** Module of the unsubscribe pages. */
@Module({ imports: [NotificationsModule], controllers: [UnsubscribeController] })
export class UnsubscribeModule {}
