import { Injectable } from '@nestjs/common';
import { isTransient } from '#kernel/database/transient.js';
import { JobProcessor, RunLost, type JobContext } from '#kernel/queue/job-processor.js';
import { LATE, SourceBusy } from '../../source/source-errors.js';
import { ImportLimits } from '../import-limits.js';
import { RunRelationJob, type RunRelationPayload } from '../jobs/run-relation.job.js';
import { RecordsStep } from '../records/records.step.js';
import { TurnOver } from '../records/turn.js';
import { asRetryable } from '../runs/as-retryable.js';
import { EndRelationStep } from '../runs/end-relation.step.js';
import { OpenRelationStep } from '../runs/open-relation.step.js';
import { PostponeRelationStep } from '../runs/postpone-relation.step.js';
import type { RelationRun } from '../runs/relation-run.js';
import { NotReady, NothingThere, RelationFailed, RunEnded } from '../runs/run-ended.js';
import { EntityStepsService } from '../entity-steps.service.js';

/**
 * Imports a relation. If a worker dies, the next one continues after the last committed batch; a second job
 * for the same relation has nothing to do, and a delayed one can change nothing.
 */
@Injectable()
export class RunRelationProcessor extends JobProcessor<RunRelationPayload> {
  readonly job = RunRelationJob;

  constructor(
    private readonly opening: OpenRelationStep,
    private readonly steps: EntityStepsService,
    private readonly records: RecordsStep,
    private readonly postponing: PostponeRelationStep,
    private readonly ending: EndRelationStep,
    private readonly limits: ImportLimits,
  ) {
    super();
  }

  async process({ relationId }: RunRelationPayload, context: JobContext): Promise<void> {
    const run = await this.opening.open(relationId, context);
    if (!run) return;
    try {
      await this.carryOut(run);
      await this.ending.run(run, 'finished');
    } catch (error) {
      if (error instanceof RunEnded) return;
      if (context.signal.aborted || error instanceof RunLost || isTransient(error)) throw error;
      await quietly(() => this.settle(run, asRetryable(error, this.limits)));
    }
  }

  override async failed(
    { relationId }: RunRelationPayload,
    error: Error,
    context: JobContext,
  ): Promise<void> {
    const run = await this.opening.open(relationId, context);
    if (run) await quietly(() => this.ending.fail(run, error));
  }

  private async carryOut(run: RelationRun): Promise<void> {
    const { relation } = run.claimed;
    const way = this.steps.wayOf(run.entity.of, relation);
    if (!way) throw new RelationFailed(`The relation ${relation} is not supported here`);
    await run.assertAllowed();
    if ('step' in way) await way.step.run(run);
    else await this.records.run(run, way.pipeline);
  }

  private async settle(run: RelationRun, error: unknown): Promise<void> {
    if (error instanceof NotReady) await this.postponing.forExport(run, error.pauseMs);
    else if (error instanceof TurnOver) await this.turn(run, error);
    else if (error instanceof NothingThere) await this.ending.run(run, 'skipped');
    else if (!(error instanceof SourceBusy && (await this.postponing.afterFailure(run, error))))
      await this.ending.fail(run, error);
  }

  /** After the longest turn without progress, retries count as for a busy source. */
  private async turn(run: RelationRun, over: TurnOver): Promise<void> {
    if (over.isGain || !over.isLongest) await this.postponing.forNextTurn(run, over);
    else await this.settle(run, new SourceBusy('The response takes too long', LATE, 0));
  }
}

/** Ignores that the relation has ended otherwise, or that the import was canceled. */
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
  }
}
