import { Module } from '@nestjs/common';
import { UsersModule } from '#core/users/users.module.js';
import { NotificationsModule } from '#features/notifications/notifications.module.js';
import { ConfirmedAddressesService } from './confirmed-addresses.service.js';
import { NotificationSourcesQueries } from './notification-sources.queries.js';
import { NotificationsController } from './notifications.controller.js';
import { SourceNotificationsController } from './source-notifications.controller.js';

/** Module of the pages of notification settings. */
@Module({
  imports: [UsersModule, NotificationsModule],
  controllers: [NotificationsController, SourceNotificationsController],
  providers: [NotificationSourcesQueries, ConfirmedAddressesService],
})
export class NotificationPagesModule {}
