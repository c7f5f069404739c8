import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { MOVE_KINDS, repositoryLabel } from '../storage-move.js';
import { MoveFailure } from './move-failure.js';
import type { MoveRun } from './move-run.js';
import { isSameFolder } from './same-folder.js';
import { exists, takeAway } from './set-aside.js';

/** Whether this or a former move can have left a copy on the destination: one that placed it there, or one that could not remove it. */
const MAY_BE_OURS = `select 1 from storage_moves where owner_type = $1 and owner_id = $2
  and (destination_storage = $3 and state <> 'finished' and journal @> '[{"step":"placing"}]'
    or source_storage = $3 and state = 'cleanup_failed') limit 1`;

/** Copies in places where the owner does not live: left by a run that died between placing its copy and storing that. */
@Injectable()
export class Leftovers {
  private readonly logger = new Logger('StorageMoves');

  constructor(private readonly database: ReadDatabase) {}

  /** Removes them from the destination. Call it only for a move whose owner still lives on the source. @throws MoveFailure for what no move has left, and for what may be all that there is */
  async clear(run: MoveRun): Promise<void> {
    const { ownerType, ownerId, destination } = run.move;
    for (const kind of MOVE_KINDS[ownerType].repositories) {
      const place = run.placeIn(run.destinationFolder, kind);
      if (!(await exists(place))) continue;
      const label = repositoryLabel(ownerType, kind);
      if (!(await this.database.one(MAY_BE_OURS, [ownerType, ownerId, destination])))
        throw new MoveFailure(`There is something else at the place of the ${label} repository: ${place}`);
      const source = run.placeIn(run.sourceFolder, kind);
      if (!(await exists(source)))
        throw new MoveFailure(`The ${label} repository is missing, but there is a copy of it at ${place}`);
      await refuseSource(source, place);
      this.logger.warn(`Move ${run.move.id} removes what a former run has left at ${place}`);
      await takeAway(run, run.destinationFolder, place);
    }
  }
}

/** Links within storages may lead to the repository itself. */
async function refuseSource(source: string, place: string): Promise<void> {
  if (await isSameFolder(source, place))
    throw new MoveFailure(`${place} is the repository that is to be moved there`);
}
