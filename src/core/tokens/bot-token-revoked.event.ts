import type { AuditAuthor } from '#core/audit/audit-log.js';

/** A person has revoked the token of a bot: what the bot made with it is to end too. */
export class BotTokenRevoked {
  constructor(
    readonly botId: number,
    readonly author: AuditAuthor,
  ) {}
}
