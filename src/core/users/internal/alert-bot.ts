import { Injectable } from '@nestjs/common';
import { InternalUsers } from './internal-users.js';

/** The user in whose name incidents of alerts are opened and closed; there is one at most, made when first needed. */
@Injectable()
export class AlertBot {
  constructor(private readonly users: InternalUsers) {}

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
