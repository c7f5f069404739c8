import { Injectable, Logger } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { OWNER_TABLES, type OwnerType } from '#core/repositories/repository-ref.js';
import { MoveSlots } from '../move-slots.js';
import { MOVE_KINDS } from '../storage-move.js';
import { MoveScheduling } from './move-scheduling.js';
import { ScheduleMoves, type ScheduleMovesPayload } from './schedule-moves.job.js';

/** Owners of one transaction, whose rows are locked for its time. */
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
  select '${type}', given.id, $3, given.destination, (select id from users where id = $4) from unnest($1::bigint[], $2::text[]) as given(id, destination) order by given.id`;

interface Found {
  readonly id: number;
  readonly readOnly: boolean;
}

/** Schedules one move for each owner, some in each transaction; a repeated run skips those that are scheduled already. */
@Injectable()
export class ScheduleMovesProcessor extends JobProcessor<ScheduleMovesPayload> {
  readonly job = ScheduleMoves;
  private readonly logger = new Logger('StorageMoves');

  constructor(
    private readonly transactions: Transactions,
    private readonly scheduling: MoveScheduling,
    private readonly slots: MoveSlots,
  ) {
    super();
  }

  async process(payload: ScheduleMovesPayload, { signal }: JobContext): Promise<void> {
    for (let last: number | null = 0; last !== null;) {
      signal.throwIfAborted();
      const after: number = last;
      last = await this.transactions.run((tx) => this.scheduleSome(tx, payload, after));
    }
  }

  /** The greatest id that was looked at, or null when there are no more. */
  private async scheduleSome(
    tx: Tx,
    { ownerType, source, destination, userId }: ScheduleMovesPayload,
    after: number,
  ): Promise<number | null> {
    const found = await tx.query<Found[]>(next(ownerType), [source, after]);
    const skipped = found.filter(({ readOnly }) => readOnly).map(({ id }) => id);
    if (skipped.length > 0)
      this.logger.warn(`${ownerType} ${skipped.join(', ')} on storage ${source} skipped: read-only`);
    const ids = found.filter(({ readOnly }) => !readOnly).map(({ id }) => id);
    if (ids.length > 0) {
      const destinations = ids.map(() => this.scheduling.destination(source, destination));
      await tx.query(insert(ownerType), [ids, destinations, source, userId]);
      await this.slots.wake(tx);
    }
    return found.at(-1)?.id ?? null;
  }
}
