import { Injectable, Logger } from '@nestjs/common';
import { RunLost } from '#kernel/queue/job-processor.js';
import { StorageRootsService } from '#core/repositories/storages/storage-roots.service.js';
import { EndMoveStep } from './end-move.step.js';
import { LeftoversService } from './cleanup/leftovers.service.js';
import type { MoveRun } from './run/move-run.js';
import { removeStaging } from './cleanup/set-aside.js';

/** Ends a move that cannot go on: before the switch nothing of it stays on the destination, after it only the old copy does. */
@Injectable()
export class FailMoveStep {
  private readonly logger = new Logger('StorageMoves');

  constructor(
    private readonly roots: StorageRootsService,
    private readonly leftovers: LeftoversService,
    private readonly end: EndMoveStep,
  ) {}

  /** @throws RunLost, and errors of the database */
  async run(run: MoveRun, reason: string): Promise<void> {
    if (run.isReplicated) {
      await this.end.run(run, 'cleanup_failed', reason);
      return;
    }
    try {
      // Another installation may use what is there instead of the destination.
      if (!run.inPlace && (await this.roots.problem(run.move.destination, true)) === null) {
        // In this order: from here on no former run has a copy that it could still put into its place.
        await removeStaging(run, run.destinationFolder);
        await this.leftovers.clear(run);
      }
    } catch (error) {
      if (run.context.signal.aborted || error instanceof RunLost) throw error;
      // The owner must not stay read-only for it: sweeps and the next move take care of the rest.
      this.logger.error(`Move ${run.move.id} leaves something behind: ${String(error)}`);
    }
    await this.end.run(run, 'failed', reason);
  }
}
