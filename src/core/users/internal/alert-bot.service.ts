import { Injectable } from '@nestjs/common';
import { InternalUsersService } from './internal-users.service.js';

/** The internal user who opens and closes incidents of alerts; a single one, created when first needed. */
@Injectable()
export class AlertBotService {
  constructor(private readonly users: InternalUsersService) {}

  /** Returns the id of the bot. Call this outside of the transaction that needs it. */
  id(): Promise<number> {
    return this.users.id({
      type: 'alert_bot',
      username: 'alert-bot',
      name: 'Alert Bot',
      bio: 'The Alert Bot opens and closes the incidents of alerts.',
    });
  }
}
