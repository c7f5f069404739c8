import { Injectable, Logger } from '@nestjs/common';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { StorageRootsService } from '#core/repositories/storages/storage-roots.service.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import { ClaimMoveStep } from './claim-move.step.js';
import { CleanUpStep } from './cleanup/clean-up.step.js';
import { CopyRepositoriesStep } from './copying/copy-repositories.step.js';
import { EndMoveStep } from './end-move.step.js';
import { FailMoveStep } from './fail-move.step.js';
import { failureText, MoveFailure } from './run/move-failure.js';
import type { MoveRun } from './run/move-run.js';
import { RunMoveJob, type RunMovePayload } from './run-move.job.js';
import { SwitchStorageStep } from './switch-storage.step.js';
import { WaitForPushesStep } from './wait-for-pushes.step.js';

/**
 * Carries out a move step by step. Each step is idempotent, and changes nothing once another run has taken
 * the move over: if a worker dies, the next one continues.
 */
@Injectable()
export class RunMoveProcessor extends JobProcessor<RunMovePayload> {
  readonly job = RunMoveJob;
  private readonly logger = new Logger('StorageMoves');

  constructor(
    private readonly storages: StoragesService,
    private readonly roots: StorageRootsService,
    private readonly claiming: ClaimMoveStep,
    private readonly pushes: WaitForPushesStep,
    private readonly copying: CopyRepositoriesStep,
    private readonly switching: SwitchStorageStep,
    private readonly cleaning: CleanUpStep,
    private readonly ending: EndMoveStep,
    private readonly failing: FailMoveStep,
  ) {
    super();
  }

  async process({ moveId }: RunMovePayload, context: JobContext): Promise<void> {
    const run = await this.claiming.claim(moveId, context);
    if (!run) return;
    this.logger.log(`Move ${moveId} resumes from ${run.move.state}`);
    try {
      await this.refuseMissingStorages(run);
      await run.look();
      if (!run.isReplicated) await this.replicate(run);
      await this.cleaning.run(run);
      await this.ending.run(run, 'finished', null);
    } catch (error) {
      const reason = context.signal.aborted ? null : failureText(error);
      if (reason === null) throw error;
      await this.failing.run(run, reason);
    }
  }

  override async failed({ moveId }: RunMovePayload, error: Error, context: JobContext): Promise<void> {
    const run = await this.claiming.claimToFail(moveId, context);
    if (!run) return;
    await run.look().catch(() => undefined);
    await this.failing.run(run, error.message);
  }

  /**
   * On an unmounted disk all repositories seem to be missing: the move must not treat that as nothing to do.
   */
  private async refuseMissingStorages({ move: { source, destination } }: MoveRun): Promise<void> {
    for (const storage of [source, destination]) {
      if (!this.storages.names.includes(storage))
        throw new MoveFailure(`The storage ${storage} is not configured`);
      const problem = await (storage === source
        ? this.roots.problem(storage, true)
        : this.roots.problemForNew(storage));
      if (problem !== null) throw new MoveFailure(`The storage ${storage} is not available: ${problem}`);
    }
  }

  private async replicate(run: MoveRun): Promise<void> {
    this.claiming.refuseTooManyRuns(run);
    await this.pushes.run(run);
    if (!run.inPlace) await this.copying.run(run);
    await this.switching.run(run);
    run.isReplicated = true;
  }
}
