import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { BotTokenRevoked } from '#core/tokens/events/bot-token-revoked.event.js';
import { DeployTokensService } from './deploy-tokens/deploy-tokens.service.js';

/**
 * Ends deploy tokens created by bots whose tokens were revoked: a leaked token must not outlive its
 * revocation.
 */
@Injectable()
export class DeployTokensListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly tokens: DeployTokensService,
  ) {}

  onModuleInit(): void {
    this.events.on(BotTokenRevoked, async ({ botId, author, ended }, tx) => {
      ended.deployTokens += await this.tokens.revokeOf(tx, botId, author);
    });
  }
}
