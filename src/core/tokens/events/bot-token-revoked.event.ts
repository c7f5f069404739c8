import type { AuditAuthor } from '#core/audit/audit-log.service.js';
import { NOTHING_ENDED } from './ended-with-token.js';

/**
 * A person has revoked the token of a bot: what the bot created with it must end too. Listeners add what they
 * end to `ended`.
 */
export class BotTokenRevoked {
  readonly ended = { ...NOTHING_ENDED };

  constructor(
    readonly botId: number,
    readonly author: AuditAuthor,
  ) {}
}
