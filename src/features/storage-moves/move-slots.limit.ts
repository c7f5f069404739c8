import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { RunMoveJob } from './engine/run-move.job.js';
import type { Move } from './storage-move.js';

/** Whoever counts or frees slots holds this until the end of the transaction: no two take the last one, and no end is overlooked. */
const LOCK = 'select pg_advisory_xact_lock(746274013)';

const USED = `select storage, count(*)::int as used
  from (select unnest(array[source_storage, destination_storage]) as storage from storage_moves
    where state in ('started', 'replicated')) running
  group by storage`;

/** Moves between the same two storages as many others get their turn by their age. */
const WAITING = `with used as (${USED})
  select id from storage_moves m where state = 'scheduled' and not exists (
    select from used where used.used >= $1 and used.storage in (m.source_storage, m.destination_storage))
  order by id limit $1`;

/** How many moves read from or write to a storage at a time, over all workers. A move that finds no slot waits, without a job, for one that ends. */
@Injectable()
export class MoveSlotsLimit {
  constructor(
    private readonly settings: SettingsService,
    private readonly jobs: Jobs,
  ) {}

  /** Whether both storages of a move have a slot; nobody else can take it before `tx` ends. */
  async isFree(tx: Tx, { source, destination }: Move): Promise<boolean> {
    const limit = await this.limit();
    await tx.query(LOCK);
    const rows = await tx.query<{ storage: string; used: number }[]>(USED);
    return !rows.some(({ storage, used }) => [source, destination].includes(storage) && used >= limit);
  }

  /** Enqueues the next moves that have slots. Call it last in a transaction that adds or ends moves. */
  async wake(tx: Tx): Promise<void> {
    const limit = await this.limit();
    await tx.query(LOCK);
    for (const { id } of await tx.query<{ id: number }[]>(WAITING, [limit]))
      await this.jobs.enqueue(tx, RunMoveJob, { moveId: id });
  }

  /** As it is now: workers serve no requests that would bring them news of settings. */
  private async limit(): Promise<number> {
    return (await this.settings.fresh()).repository_move_concurrency_per_storage;
  }
}
