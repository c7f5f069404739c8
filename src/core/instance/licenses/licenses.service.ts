import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { InstanceChanged, type InstanceChange } from '#core/instance/settings/instance-changed.event.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { License } from './license.entity.js';
import { LicenseInForceService } from './license-in-force.service.js';
import { readLicense } from './license-text.js';

/** Manages the licenses of the instance. */
@Injectable()
export class LicensesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly settings: SettingsService,
    private readonly events: DomainEvents,
    private readonly inForce: LicenseInForceService,
  ) {}

  /** Adds a license; if it is valid today, its plan applies when this returns. */
  async add(author: Actor, text: string, activeUsers: number): Promise<License> {
    const content = readLicense(text, new Date().toISOString().slice(0, 10));
    const {
      plan,
      licensee,
      starts_at: startsAt,
      expires_at: expiresAt = null,
      user_limit: limit = 0,
    } = content;
    const license = await this.transactions.run(async (tx) => {
      const data = { licensee, user_limit: limit, historical_max: activeUsers };
      const added = await tx.save(tx.create(License, { plan, data, startsAt, expiresAt }));
      await this.tell(tx, author, added, { add: 'license' });
      await this.inForce.apply(tx, author);
      return added;
    });
    await this.settings.reload();
    return license;
  }

  /** Removes a license; the next valid one replaces it. */
  async remove(author: Actor, id: number, unmodified: UnmodifiedCheck): Promise<void> {
    await this.transactions.run(async (tx) => {
      const license = await this.locked(tx, id);
      unmodified(license.updatedAt);
      await tx.delete(License, { id });
      await this.tell(tx, author, license, { remove: 'license' });
      await this.inForce.apply(tx, author);
    });
    await this.settings.reload();
  }

  /** Counts users again; a license keeps the highest number. */
  async refreshBillableUsers(id: number, activeUsers: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const license = await this.locked(tx, id);
      if (license.data.historical_max >= activeUsers) return;
      license.data = { ...license.data, historical_max: activeUsers };
      await tx.save(license);
    });
  }

  /** Starts and ends licenses that do so today. */
  async applyInForce(): Promise<void> {
    await this.transactions.run((tx) => this.inForce.apply(tx, null));
    await this.settings.reload();
  }

  private async locked(tx: Tx, id: number): Promise<License> {
    const license = await tx.findOne(License, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!license) throw notFound('License');
    return license;
  }

  private async tell(tx: Tx, author: Actor, { id, plan }: License, change: InstanceChange): Promise<void> {
    await this.events.publish(
      tx,
      new InstanceChanged(author, { type: 'License', id, details: plan }, change),
    );
  }
}
