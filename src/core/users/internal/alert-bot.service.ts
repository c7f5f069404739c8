import { Injectable } from '@nestjs/common';
import { InternalUsersService } from './internal-users.service.js';

/** The user in whose name incidents of alerts are opened and closed; there is one at most, made when first needed. */
@Injectable()
export class AlertBotService {
  constructor(private readonly users: InternalUsersService) {}

  /** Id of the bot. Ask for it outside of the transaction that needs it. */
  id(): Promise<number> {
    return this.users.id({
      type: 'alert_bot',
      username: 'alert-bot',
      name: 'Alert Bot',
      bio: 'The Alert Bot opens and closes the incidents of alerts.',
    });
  }
}
