import { Module } from '@nestjs/common';
import { NotificationsModule } from '#features/notifications/notifications.module.js';
import { UnsubscribeController } from './unsubscribe.controller.js';

/** Where the links of mails lead that end more of them. */
@Module({ imports: [NotificationsModule], controllers: [UnsubscribeController] })
export class UnsubscribeModule {}
