import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { MovePlansQueries, type MovePlan } from '#features/storage-moves/schedule/move-plans.queries.js';
import { StorageMovesQueries } from '#features/storage-moves/storage-moves.queries.js';
import { StorageMovesService } from '#features/storage-moves/storage-moves.service.js';
import type { BulkOrder, SingleOrder } from './checked-entries.js';
import { OWNER_TYPES } from './move-texts.js';
import type { ShownMove } from './shown-move.js';

/** Passes requests of administrators on to the services that perform them, as the API does. */
@Injectable()
export class MoveOrdersService {
  constructor(
    private readonly service: StorageMovesService,
    private readonly queries: StorageMovesQueries,
    private readonly plans: MovePlansQueries,
  ) {}

  /** Returns what a request would move. */
  plan({ kind, source }: BulkOrder): Promise<MovePlan> {
    return this.plans.find(OWNER_TYPES[kind], source);
  }

  /** Requests the moves of everything on a storage; a job schedules them. @throws 400 */
  async orderAll({ kind, source, destination }: BulkOrder, actor: Actor): Promise<void> {
    const names = { source_storage_name: source, destination_storage_name: destination };
    await this.service.scheduleAll(OWNER_TYPES[kind], names, actor);
  }

  /** Schedules the move of one owner. @throws 404 if there is none, 400 */
  async orderOne({ kind, owner, destination }: SingleOrder, actor: Actor): Promise<void> {
    const ownerType = OWNER_TYPES[kind];
    const ownerId = await this.queries.ownerId(ownerType, owner);
    await this.service.scheduleOne({ ownerType, ownerId }, destination, actor);
  }

  /** Schedules a failed move again. @throws 404 if its owner no longer exists, 400 */
  async repeat({ kind, ownerId, destination }: ShownMove, actor: Actor): Promise<void> {
    await this.service.scheduleOne({ ownerType: OWNER_TYPES[kind], ownerId }, destination, actor);
  }
}
