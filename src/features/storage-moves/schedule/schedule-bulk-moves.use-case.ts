import { Injectable, Logger } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { OWNER_TABLES, type OwnerType } from '#core/repositories/repository-ref.js';
import { MoveSlotsLimit } from '../move-slots.limit.js';
import { MOVE_KINDS } from '../storage-move.js';
import { MoveSchedulingService } from './move-scheduling.service.js';
import type { ScheduleMovesPayload } from './schedule-moves.job.js';

/** Owners per transaction, whose rows are locked in the meantime. */
const BATCH = 200;

const next = (
  type: OwnerType,
): string => `select o.id, o.repository_read_only as "readOnly" from ${OWNER_TABLES[type]} o
  where o.repository_storage = $1 and o.id > $2 and ${MOVE_KINDS[type].alive} order by o.id limit ${BATCH} for no key update of o`;

const insert = (
  type: OwnerType,
): string => `with locked as (update ${OWNER_TABLES[type]} set repository_read_only = true
    where id = any($1::bigint[]))
  insert into storage_moves (owner_type, owner_id, source_storage, destination_storage, user_id)
  select '${type}', given.id, $3, given.destination, (select id from users where id = $4) from unnest($1::bigint[], $2::text[]) as given(id, destination) order by given.id
  returning id`;

interface Found {
  readonly id: number;
  readonly readOnly: boolean;
}

/**
 * Schedules the moves of all owners on a storage, in several transactions; a repeated call skips those
 * already scheduled.
 */
@Injectable()
export class ScheduleBulkMoves {
  private readonly logger = new Logger('StorageMoves');

  constructor(
    private readonly transactions: Transactions,
    private readonly scheduling: MoveSchedulingService,
    private readonly slots: MoveSlotsLimit,
  ) {}

  /** Yields the ids of the moves, batch by batch. @throws 400 for invalid names */
  async *run(payload: ScheduleMovesPayload): AsyncGenerator<number[]> {
    for (let last: number | null = 0; last !== null;) {
      const after: number = last;
      const batch = await this.transactions.run((tx) => this.scheduleSome(tx, payload, after));
      yield batch.moves;
      last = batch.last;
    }
  }

  /** Schedules a batch; `last`: highest owner id examined, or null at the end. */
  private async scheduleSome(
    tx: Tx,
    { ownerType, source, destination, userId }: ScheduleMovesPayload,
    after: number,
  ): Promise<{ last: number | null; moves: number[] }> {
    const found = await tx.query<Found[]>(next(ownerType), [source, after]);
    const skipped = found.filter(({ readOnly }) => readOnly).map(({ id }) => id);
    if (skipped.length > 0)
      this.logger.warn(`${ownerType} ${skipped.join(', ')} on storage ${source} skipped: read-only`);
    const ids = found.filter(({ readOnly }) => !readOnly).map(({ id }) => id);
    const last = found.at(-1)?.id ?? null;
    if (ids.length === 0) return { last, moves: [] };
    const destinations = ids.map(() => this.scheduling.destination(source, destination));
    const values = [ids, destinations, source, userId];
    const moves = await tx.query<{ id: number }[]>(insert(ownerType), values);
    await this.slots.wake(tx);
    return { last, moves: moves.map(({ id }) => id) };
  }
}
