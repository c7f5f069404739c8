import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Config } from '#kernel/config/config.js';
import { UTC_TODAY } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { InstanceChanged } from '#core/instance/settings/instance-changed.event.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import type { Plan } from '#core/instance/settings/settings.js';
import type { LicensePlan } from './license-text.js';

/** Stands for "there are licenses, but none is valid". */
const NONE_HOLDS = 0;

interface Holding {
  readonly id: number | null;
  readonly plan: Plan;
}

/**
 * Gives the instance the plan of the newest valid license, when one is added, removed, starts or ends. In
 * between, the setting `license_plan` may override it. If licenses exist but none is valid, the plan is
 * `free`; without any, it is that of LICENSE_PLAN.
 */
@Injectable()
export class LicenseInForceService {
  constructor(
    private readonly config: Config,
    private readonly settings: SettingsService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Changes the plan if another license is valid than before. The caller reloads the settings after its
   * commit.
   */
  async apply(tx: Tx, author: Actor | null): Promise<void> {
    const { plan: formerPlan } = await this.settings.lock(tx);
    const [row] = await tx.query<{ applied: number | null }[]>(
      'select applied_license_id as applied from application_settings where id = 1',
    );
    const { id, plan } = await this.holding(tx);
    if (row?.applied === id) return;
    await tx.query('update application_settings set applied_license_id = $1 where id = 1', [id]);
    if (plan === formerPlan) return;
    await this.settings.update(tx, {}, plan);
    const target = { type: 'ApplicationSetting', id: 1, details: 'Application settings' };
    const change = { change: 'license_plan', from: formerPlan, to: plan };
    await this.events.publish(tx, new InstanceChanged(author, target, change));
  }

  private async holding(tx: Tx): Promise<Holding> {
    const [newest] = await tx.query<{ id: number; plan: LicensePlan; holds: boolean }[]>(
      `select id, plan, holds from licenses,
         lateral (select starts_at <= ${UTC_TODAY} and coalesce(expires_at > ${UTC_TODAY}, true) as holds) state
       order by holds desc, id desc limit 1`,
    );
    if (!newest) return { id: null, plan: this.config.LICENSE_PLAN };
    if (!newest.holds) return { id: NONE_HOLDS, plan: 'free' };
    return { id: newest.id, plan: newest.plan === 'starter' ? 'free' : newest.plan };
  }
}
