import { Injectable, Logger } from '@nestjs/common';
import { RunLost } from '#kernel/queue/job-processor.js';
import { StorageRootsService } from '#core/repositories/storages/storage-roots.service.js';
import { EndMoveStep } from './end-move.step.js';
import { LeftoversService } from './cleanup/leftovers.service.js';
import type { MoveRun } from './run/move-run.js';
import { removeStaging } from './cleanup/set-aside.js';

/**
 * Ends a move that cannot continue: before the switch everything on the destination is removed, after it only
 * the old copy remains.
 */
@Injectable()
export class FailMoveStep {
  private readonly logger = new Logger('StorageMoves');

  constructor(
    private readonly roots: StorageRootsService,
    private readonly leftovers: LeftoversService,
    private readonly end: EndMoveStep,
  ) {}

  /** Ends the move. @throws RunLost, and errors of the database */
  async run(run: MoveRun, reason: string): Promise<void> {
    if (run.isReplicated) {
      await this.end.run(run, 'cleanup_failed', reason);
      return;
    }
    try {
      // Another installation may use the folder instead of the destination.
      if (!run.inPlace && (await this.roots.problem(run.move.destination, true)) === null) {
        // First the staging folder: after that no previous run has a copy that it could still place.
        await removeStaging(run, run.destinationFolder);
        await this.leftovers.clear(run);
      }
    } catch (error) {
      if (run.context.signal.aborted || error instanceof RunLost) throw error;
      // The owner must not stay read-only because of this: sweeps and the next move remove the rest.
      this.logger.error(`Move ${run.move.id} could not be cleaned up: ${String(error)}`);
    }
    await this.end.run(run, 'failed', reason);
  }
}
