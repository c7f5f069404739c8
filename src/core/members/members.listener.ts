import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { BotRemoved } from '#core/users/events/bot-removed.event.js';
import { MembersService } from './members.service.js';

/** Ends the memberships of disabled bots. */
@Injectable()
export class MembersListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly members: MembersService,
  ) {}

  onModuleInit(): void {
    this.events.on(BotRemoved, ({ userId }, tx) => this.members.removeAllOf(tx, userId));
  }
}
