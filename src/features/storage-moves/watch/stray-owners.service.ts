import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { OWNER_TABLES, type OwnerType } from '#core/repositories/repository-ref.js';
import { MoveTimings } from '../engine/run/move-timings.js';
import { UNFINISHED } from '../storage-move.js';

/** Longer than the time until any of many workers checks again. */
const FORGET_MS = 10 * 60_000;

const OWNER_TYPES = Object.keys(OWNER_TABLES) as OwnerType[];

const withoutMove = (
  type: OwnerType,
): string => `repository_read_only and not exists (select from storage_moves m
  where m.owner_type = '${type}' and m.owner_id = o.id and m.${UNFINISHED})`;

const find = (type: OwnerType): string =>
  `select o.id from ${OWNER_TABLES[type]} o where o.${withoutMove(type)} order by o.id limit 1000`;

const release = (
  type: OwnerType,
): string => `with released as (update ${OWNER_TABLES[type]} o set repository_read_only = false
    where o.id = any($1::bigint[]) and o.${withoutMove(type)} returning 1)
  select count(*)::int as count from released`;

/** Manages owners that are read-only without a move. */
@Injectable()
export class StrayOwnersService {
  private readonly logger = new Logger('StorageMoves');
  /** When each was first seen: a new one may be part of a running change. */
  private seen = new Map<string, number>();
  private lastLook = -Infinity;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly timings: MoveTimings,
  ) {}

  /** Releases owners that have been seen for a while. */
  async release(): Promise<void> {
    const now = performance.now();
    // There are no checks while no owner is read-only: earlier observations are unrelated.
    if (now - this.lastLook > FORGET_MS) this.seen.clear();
    this.lastLook = now;
    const seen = new Map<string, number>();
    for (const type of OWNER_TYPES) {
      const due: number[] = [];
      for (const { id } of await this.database.long<{ id: number }>(find(type), [])) {
        const key = `${type} ${id}`;
        const since = this.seen.get(key) ?? now;
        seen.set(key, since);
        if (now - since >= this.timings.strayMs) due.push(id);
      }
      if (due.length > 0) await this.releaseAll(type, due);
    }
    this.seen = seen;
  }

  private async releaseAll(type: OwnerType, ids: readonly number[]): Promise<void> {
    const [row] = await this.transactions.run((tx) => tx.query<[{ count: number }]>(release(type), [ids]));
    this.logger.warn(`${row.count} of ${type} ${ids.join(', ')} were read-only without a move`);
  }
}
