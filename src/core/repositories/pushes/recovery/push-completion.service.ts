import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { MeasureRepositoryJob } from '../../measure/measure-repository.job.js';
import { OWNER_TABLES, type OwnerType } from '../../repository-ref.js';
import type { OpenRepository } from '../../repositories.service.js';
import { BroughtCommits } from '../brought-commits.js';
import { doneChanges } from '../done-changes.js';
import { describeChanges } from '../describe-changes.js';
import { pushPayloads, type PushPayload } from '../push-payload.js';
import { PushReadersRegistry } from './push-readers.registry.js';
import type { RefChange } from '../ref-change.js';
import { RefsPushed } from '../refs-pushed.event.js';
import { RunningPushesService } from '../running-pushes.service.js';

/** Locks the owner's row first, in the order of removals and moves, to avoid deadlocks. */
const ends = (type: OwnerType): string => `with owner as materialized (
    select id from ${OWNER_TABLES[type]} where id = $2 for no key update),
  taken as (delete from running_pushes where id = $1 and (select count(*) from owner) >= 0 returning user_id, push_options),
  pushed as (update repositories set pushed_at = now(), updated_at = now() where id = $3 and exists (select from taken))
  select user_id, push_options from taken`;

const FORGET = 'delete from running_pushes where id = $1';

/** A repository that was measured before is measured once for all pushes within this time. */
const MEASURED_AFTER_MS = 4_000;

interface Taken {
  readonly user_id: number | null;
  readonly push_options: string[];
}

/** Records the effects of a push: publishes its event once, in the transaction that ends the push. */
@Injectable()
export class PushCompletionService {
  private readonly logger = new Logger(PushCompletionService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly running: RunningPushesService,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly settings: SettingsService,
    private readonly readers: PushReadersRegistry,
  ) {}

  /**
   * Ends a push that changed these refs; without any, only unregisters it. Never throws: the refs are already
   * changed, so a push that cannot be recorded now stays registered, and is recorded within minutes
   * (`RecoverPushesJob`).
   */
  async finish(
    id: string,
    repository: OpenRepository,
    changes: readonly RefChange[],
    brought = BroughtCommits.none,
  ): Promise<void> {
    try {
      await this.note(id, repository, changes, brought);
    } catch (error) {
      this.logger.error(`Push ${id} will be processed later: ${String(error)}`);
    } finally {
      this.running.release(id);
    }
  }

  /**
   * Ends an accepted push whose result is unknown, by looking up its refs. Call it after git has ended. Never
   * throws.
   */
  async settle(id: string, repository: OpenRepository, accepted: readonly RefChange[]): Promise<void> {
    try {
      await this.note(id, repository, await doneChanges(repository.path, accepted));
    } catch (error) {
      this.logger.error(`Push ${id} will be checked later: ${String(error)}`);
    } finally {
      this.running.release(id);
    }
  }

  /** Does the same as finish, but throws. If two processes end a push, the second changes nothing. */
  async note(
    id: string,
    repository: OpenRepository,
    changes: readonly RefChange[],
    brought = BroughtCommits.none,
  ): Promise<void> {
    if (changes.length === 0) {
      await this.transactions.run((tx) => tx.query(FORGET, [id]));
      return;
    }
    const payloads = await this.describe(repository, changes, brought);
    const write = await this.readers.read(repository, changes);
    const { id: repositoryId, ownerType, ownerId, kind } = repository;
    await this.transactions.run(async (tx) => {
      const [push] = await tx.query<Taken[]>(ends(ownerType), [id, ownerId, repositoryId]);
      if (!push) return;
      const ref = { id: repositoryId, ownerType, ownerId, kind };
      await this.events.publish(
        tx,
        new RefsPushed(ref, push.user_id, changes, push.push_options, payloads, brought),
      );
      await write(tx, push.user_id);
      const delayMs = repository.sizeBytes > 0 ? MEASURED_AFTER_MS : 0;
      await this.jobs.enqueue(tx, MeasureRepositoryJob, { repositoryId }, { delayMs });
    });
  }

  private async describe(
    { ownerType, kind, path }: OpenRepository,
    changes: readonly RefChange[],
    brought: BroughtCommits,
  ): Promise<PushPayload[]> {
    if (ownerType !== 'Project' || kind !== 'code') return [];
    const limit = this.settings.values.push_event_activities_limit;
    return pushPayloads(await describeChanges(path, changes, limit, brought), limit);
  }
}
