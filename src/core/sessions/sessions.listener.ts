import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { UserSignedOut } from '#core/users/events/user-signed-out.event.js';
import { SessionsService } from './sessions.service.js';

/** Ends the sessions of users who must sign in again. */
@Injectable()
export class SessionsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly sessions: SessionsService,
  ) {}

  onModuleInit(): void {
    this.events.on(UserSignedOut, ({ userId }, tx) => this.sessions.revokeAllOf(tx, userId));
  }
}
