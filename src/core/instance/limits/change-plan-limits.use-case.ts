import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { nothingGiven } from '#kernel/http/errors.js';
import { InstanceChanged } from '../settings/instance-changed.event.js';
import { SettingsService } from '../settings/settings.service.js';
import type { PlanLimits } from './plan-limits.js';

/** Changes limits of the instance, and reports each one that changes. */
@Injectable()
export class ChangePlanLimits {
  constructor(
    private readonly settings: SettingsService,
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
  ) {}

  /** @throws 400 if no limit is given */
  async run(actor: Actor, plan: string, changes: Partial<PlanLimits>): Promise<void> {
    const given = Object.entries(changes) as [keyof PlanLimits, number][];
    if (given.length === 0) throw nothingGiven();
    await this.transactions.run(async (tx) => {
      const { limits } = await this.settings.updateLimits(tx, changes);
      const target = { type: 'PlanLimits', id: plan, details: plan };
      for (const [name, to] of given) {
        if (limits[name] === to) continue;
        await this.events.publish(
          tx,
          new InstanceChanged(actor, target, { change: name, from: limits[name], to }),
        );
      }
    });
    await this.settings.reload();
  }
}
