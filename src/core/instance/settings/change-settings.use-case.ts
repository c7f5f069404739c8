import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Config } from '#kernel/config/config.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { invalid, nothingGiven } from '#kernel/http/errors.js';
import { FILTERED, isSecretName } from '#kernel/log/redaction.js';
import { InstanceChanged } from './instance-changed.event.js';
import type { ChangeSettingsParams } from './settings.record.js';
import { SettingsService } from './settings.service.js';
import type { SettingsValues } from './settings.js';

type Changes = Partial<SettingsValues>;

const TARGET = { type: 'ApplicationSetting', id: 1, details: 'Application settings' };

/** Changes some settings without affecting others, which may be changed concurrently. */
@Injectable()
export class ChangeSettings {
  constructor(
    private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly settings: SettingsService,
  ) {}

  /** Validates, stores and audits the change; it applies when this returns. */
  async run(author: Actor, { license_plan: plan, ...values }: ChangeSettingsParams): Promise<void> {
    if (plan === undefined && Object.keys(values).length === 0) throw nothingGiven();
    this.assertStorages(values);
    await this.transactions.run(async (tx) => {
      const { values: present } = await this.settings.lock(tx);
      const changes = { ...values, ...storageChanges(values, present) };
      const former = await this.settings.update(tx, changes, plan);
      await this.tell(tx, author, { ...former.values }, changes);
      if (plan !== undefined)
        await this.tell(tx, author, { license_plan: former.plan }, { license_plan: plan });
    });
    await this.settings.reload();
  }

  private assertStorages({
    repository_storages: names,
    repository_storages_weighted: weights,
  }: Changes): void {
    const known = this.config.repositoryStorages;
    const problems: Record<string, string[]> = {};
    const areKnown = (given: readonly string[]): boolean => given.every((name) => known.has(name));
    const unknown = ['does not have a valid value'];
    if (names?.length === 0) problems['repository_storages'] = ['is empty'];
    else if (names && !areKnown(names)) problems['repository_storages'] = unknown;
    if (weights && !areKnown(Object.keys(weights))) problems['repository_storages_weighted'] = unknown;
    if (Object.keys(problems).length > 0) throw invalid(problems);
  }

  private async tell(
    tx: Tx,
    author: Actor,
    former: Readonly<Record<string, unknown>>,
    changes: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    for (const [name, to] of Object.entries(changes)) {
      const from = former[name];
      if (isDeepStrictEqual(from, to)) continue;
      const change = { change: name, from: shown(name, from), to: shown(name, to) };
      await this.events.publish(tx, new InstanceChanged(author, TARGET, change));
    }
  }
}

/** Keeps secrets out of the audit log. */
const shown = (name: string, value: unknown): unknown =>
  typeof value === 'string' && value !== '' && isSecretName(name) ? FILTERED : value;

/** Keeps the list of storages and their weights consistent: if only one is given, derives the other. */
function storageChanges(given: Changes, present: SettingsValues): Changes {
  const { repository_storages: names, repository_storages_weighted: weights } = given;
  if (names && !weights) {
    const former = present.repository_storages_weighted;
    const off = Object.keys(former).map((name) => [name, 0] as const);
    const on = names.map((name) => [name, (former[name] ?? 0) || 100] as const);
    return { repository_storages_weighted: Object.fromEntries([...off, ...on]) };
  }
  if (weights && !names) {
    const used = Object.keys(weights).filter((name) => (weights[name] ?? 0) > 0);
    return used.length === 0 ? {} : { repository_storages: used };
  }
  return {};
}
