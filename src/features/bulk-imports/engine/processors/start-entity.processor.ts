import { Injectable } from '@nestjs/common';
import { isTransient } from '#kernel/database/transient.js';
import { JobProcessor, RunLost, type JobContext } from '#kernel/queue/job-processor.js';
import { SourceBusy } from '../../source/source-errors.js';
import type { EntityRow } from '../entity.row.js';
import { StartEntityJob, type StartEntityPayload } from '../jobs/start-entity.job.js';
import { BeginEntityStep } from '../states/begin-entity.step.js';
import { ExportRequestService } from '../states/export-request.service.js';

/** Starts an entity: finds it at the source, requests its export, and lists its relations. */
@Injectable()
export class StartEntityProcessor extends JobProcessor<StartEntityPayload> {
  readonly job = StartEntityJob;

  constructor(
    private readonly beginning: BeginEntityStep,
    private readonly request: ExportRequestService,
  ) {
    super();
  }

  async process({ entityId, busy }: StartEntityPayload, context: JobContext): Promise<void> {
    const entity = await this.beginning.find(entityId);
    if (!entity) return;
    try {
      const sourceId = await this.request.send(entity, context.signal);
      await this.beginning.begin(entity, sourceId);
    } catch (error) {
      await this.settle(entity, busy, error, context);
    }
  }

  override async failed({ entityId }: StartEntityPayload, error: Error): Promise<void> {
    const entity = await this.beginning.find(entityId);
    if (entity) await this.beginning.fail(entity, error);
  }

  private async settle(
    entity: EntityRow,
    busy: number,
    error: unknown,
    { signal }: JobContext,
  ): Promise<void> {
    if (signal.aborted || error instanceof RunLost || isTransient(error)) throw error;
    if (error instanceof SourceBusy && (await this.beginning.again(entity, busy + 1, error.retryAfterMs)))
      return;
    await this.beginning.fail(entity, error);
  }
}
