import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { badRequest, invalid } from '#kernel/http/errors.js';
import { withBoolean, withMembers, withPercentage, type FeatureGates } from '#core/instance/feature-gates.js';
import { InstanceChanged, type InstanceChange } from '#core/instance/settings/instance-changed.event.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import type { SetFeatureParams } from './features.params.js';
import { definitionOf } from './flag-definitions.js';
import { FlagTargetsQueries } from './flag-targets.queries.js';

/** Manages feature flags; changes apply everywhere from the next request. */
@Injectable()
export class FeaturesService {
  constructor(
    private readonly settings: SettingsService,
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly targets: FlagTargetsQueries,
  ) {}

  /** Lists the flags that were set, by name. */
  list(): [name: string, gates: FeatureGates][] {
    return [...this.settings.current.flags].sort(([left], [right]) => (left < right ? -1 : 1));
  }

  /** Sets a flag. @returns its gates */
  async set(author: Actor, params: SetFeatureParams): Promise<FeatureGates> {
    const { name, force = false } = params;
    if (!force && !definitionOf(name)) {
      throw badRequest(`400 Bad request - The feature flag "${name}" is not known: use force to set it`);
    }
    const gates = await this.transactions.run(async (tx) => {
      await tx.query('insert into feature_flags (name) values ($1) on conflict do nothing', [name]);
      const [row] = await tx.query<{ gates: FeatureGates }[]>(
        'select gates from feature_flags where name = $1 for update',
        [name],
      );
      const former = row?.gates ?? [];
      const next = await this.changed(tx, former, params);
      await tx.query('update feature_flags set gates = $2, updated_at = now() where name = $1', [
        name,
        JSON.stringify(next),
      ]);
      if (!isDeepStrictEqual(former, next))
        await this.tell(tx, author, name, { change: 'gates', from: former, to: next });
      return next;
    });
    await this.settings.reload();
    return gates;
  }

  /** Resets a flag; also succeeds if it was never set. */
  async remove(author: Actor, name: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const [rows] = await tx.query<[unknown[], number]>(
        'delete from feature_flags where name = $1 returning 1',
        [name],
      );
      if (rows.length > 0) await this.tell(tx, author, name, { remove: 'feature flag' });
    });
    await this.settings.reload();
  }

  private async changed(tx: Tx, gates: FeatureGates, params: SetFeatureParams): Promise<FeatureGates> {
    const value = params.value.toLowerCase();
    const isBoolean = value === 'true' || value === 'false';
    const actors = await this.targets.find(tx, params);
    const groups = this.targets.groups(params);
    if (actors.length + groups.length > 0) {
      if (params.key !== undefined) throw invalid({ key: ['cannot be used together with single targets'] });
      if (!isBoolean) throw invalid({ value: ['does not have a valid value'] });
      const withActors = withMembers(gates, 'actors', actors, value === 'true');
      return withMembers(withActors, 'groups', groups, value === 'true');
    }
    if (isBoolean) return withBoolean(value === 'true');
    return withPercentage(gates, params.key ?? 'percentage_of_time', Number(value));
  }

  private async tell(tx: Tx, author: Actor, name: string, change: InstanceChange): Promise<void> {
    await this.settings.bumpVersion(tx);
    const target = { type: 'FeatureFlag', id: name, details: name };
    await this.events.publish(tx, new InstanceChanged(author, target, change));
  }
}
