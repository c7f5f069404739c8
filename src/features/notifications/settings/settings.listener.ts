import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { MemberRemoved } from '#core/members/member-removed.event.js';
import { NotificationSettingsService } from './notification-settings.service.js';

/** Removes the settings of users who leave a group or project. */
@Injectable()
export class SettingsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly settings: NotificationSettingsService,
  ) {}

  onModuleInit(): void {
    this.events.on(MemberRemoved, ({ userId, sourceType: type, sourceId: id }, tx) =>
      this.settings.forget(tx, userId, { type, id }),
    );
  }
}
