import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { RunMoveJob } from './engine/run-move.job.js';
import type { Move } from './storage-move.js';

/**
 * Held until the end of the transaction when slots are counted or freed: so no two moves take the last slot,
 * and no end is overlooked.
 */
const LOCK = 'select pg_advisory_xact_lock(746274013)';

const USED = `select storage, count(*)::int as used
  from (select unnest(array[source_storage, destination_storage]) as storage from storage_moves
    where state in ('started', 'replicated')) running
  group by storage`;

/** Scheduled moves whose storages both have a free slot, oldest first. */
const WAITING = `with used as (${USED})
  select id from storage_moves m where state = 'scheduled' and not exists (
    select from used where used.used >= $1 and used.storage in (m.source_storage, m.destination_storage))
  order by id limit $1`;

/**
 * Limits how many moves read from or write to a storage at a time, over all workers. A move without a slot
 * waits, without a job, until one is freed.
 */
@Injectable()
export class MoveSlotsLimit {
  constructor(
    private readonly settings: SettingsService,
    private readonly jobs: Jobs,
  ) {}

  /** Returns whether both storages of a move have a free slot, which is reserved until `tx` ends. */
  async isFree(tx: Tx, { source, destination }: Move): Promise<boolean> {
    const limit = await this.limit();
    await tx.query(LOCK);
    const rows = await tx.query<{ storage: string; used: number }[]>(USED);
    return !rows.some(({ storage, used }) => [source, destination].includes(storage) && used >= limit);
  }

  /** Enqueues the next moves with free slots. Call it last in a transaction that adds or ends moves. */
  async wake(tx: Tx): Promise<void> {
    const limit = await this.limit();
    await tx.query(LOCK);
    for (const { id } of await tx.query<{ id: number }[]>(WAITING, [limit]))
      await this.jobs.enqueue(tx, RunMoveJob, { moveId: id });
  }

  /** Reads the current setting: workers serve no requests that would refresh it. */
  private async limit(): Promise<number> {
    return (await this.settings.fresh()).repository_move_concurrency_per_storage;
  }
}
