import { Module } from '@nestjs/common';
import { IssuablesModule } from '#core/issuables/issuables.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { SubscriptionsModule } from '#core/subscriptions/subscriptions.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { MailLinksService } from './mails/mail-links.service.js';
import { MailSceneQueries } from './mails/mail-scene.queries.js';
import { NotificationsListener } from './mails/notifications.listener.js';
import { PreviewsController } from './preview/previews.controller.js';
import { PreviewsService } from './preview/previews.service.js';
import { RecipientsQueries } from './recipients/recipients.queries.js';
import { RecipientsService } from './recipients/recipients.service.js';
import { GlobalSettingsController } from './settings/global-settings.controller.js';
import { GroupSettingsController } from './settings/group-settings.controller.js';
import { NotificationSettingsQueries } from './settings/notification-settings.queries.js';
import { NotificationSettingsService } from './settings/notification-settings.service.js';
import { ProjectSettingsController } from './settings/project-settings.controller.js';
import { SettingsListener } from './settings/settings.listener.js';

/** Recipients of notifications, and their mails. */
@Module({
  imports: [UsersModule, NotesModule, IssuablesModule, SubscriptionsModule],
  controllers: [
    GlobalSettingsController,
    GroupSettingsController,
    ProjectSettingsController,
    PreviewsController,
  ],
  providers: [
    NotificationSettingsQueries,
    NotificationSettingsService,
    SettingsListener,
    RecipientsQueries,
    RecipientsService,
    PreviewsService,
    NotificationsListener,
    MailSceneQueries,
    MailLinksService,
  ],
  exports: [
    NotificationSettingsQueries,
    NotificationSettingsService,
    RecipientsService,
    MailSceneQueries,
    MailLinksService,
  ],
})
export class NotificationsModule {}
