import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import type { AuditAuthor } from '#core/audit/audit-log.service.js';
import { RunnersService } from '#core/ci/runners/runners.service.js';
import { BotTokenRevoked } from '#core/tokens/events/bot-token-revoked.event.js';
import { RunnerAudit } from './runner.audit.js';

const MADE = 'select id from ci_runners where creator_id = $1 order by id';

const WHY = 'Unregistered the runner: the token of the bot that made it was revoked';

/** Removes the runners of bots whose tokens a person has revoked. */
@Injectable()
export class RunnersOfBotsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly runners: RunnersService,
    private readonly audit: RunnerAudit,
  ) {}

  onModuleInit(): void {
    this.events.on(BotTokenRevoked, async ({ botId, author, ended }, tx) => {
      ended.runners += await this.remove(tx, botId, author);
    });
  }

  private async remove(tx: Tx, botId: number, author: AuditAuthor): Promise<number> {
    const made = await tx.query<{ id: number }[]>(MADE, [botId]);
    for (const { id } of made) {
      const runner = await this.runners.lock(tx, id);
      await this.audit.record(tx, author, runner, WHY, 'runner_unregistered');
      await this.runners.remove(tx, id);
    }
    return made.length;
  }
}
