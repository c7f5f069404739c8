import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';
import { ACCEPTED } from '#kernel/http/message.record.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { StorageChoiceService } from '#core/projects/writes/storage-choice.service.js';
import type { OwnerType } from '#core/repositories/repository-ref.js';
import { MoveAudit, type MoveAuthor } from './schedule/move.audit.js';
import { MovePlansQueries } from './schedule/move-plans.queries.js';
import { MoveSchedulingService, type OwnerToMove } from './schedule/move-scheduling.service.js';
import { ScheduleMovesJob } from './schedule/schedule-moves.job.js';
import type { ScheduledMovesRecord } from './scheduled-moves.record.js';
import type { ScheduleAllParams } from './storage-moves.params.js';

/** Schedules moves for administrators: of one owner, or of all on a storage. */
@Injectable()
export class StorageMovesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly choice: StorageChoiceService,
    private readonly scheduling: MoveSchedulingService,
    private readonly plans: MovePlansQueries,
    private readonly jobs: Jobs,
    private readonly audit: MoveAudit,
  ) {}

  /** Schedules a move and returns its id. @throws 404, 400 */
  scheduleOne(owner: OwnerToMove, destination: string | null, author: MoveAuthor | null): Promise<number> {
    return this.transactions.run((tx) => this.scheduling.schedule(tx, owner, destination, author));
  }

  /**
   * Enqueues scheduling the moves of all owners on a storage, or returns the plan. @throws 400 for invalid
   * names
   */
  async scheduleAll(
    ownerType: OwnerType,
    params: ScheduleAllParams,
    author: MoveAuthor | null,
  ): Promise<ScheduledMovesRecord> {
    const { source_storage_name: source, destination_storage_name: destination } = params;
    this.refuseUnknown(params);
    this.scheduling.destination(source, destination);
    if (params.dry_run) return { ...(await this.plans.find(ownerType, source)) };
    await this.transactions.run(async (tx) => {
      await this.audit.all(tx, author, ownerType, source, destination);
      await this.jobs.enqueue(tx, ScheduleMovesJob, {
        ownerType,
        source,
        destination,
        userId: author?.id ?? null,
      });
    });
    return ACCEPTED;
  }

  private refuseUnknown({
    source_storage_name: source,
    destination_storage_name: destination,
  }: ScheduleAllParams): void {
    const text = ['does not have a valid value'];
    const problems = {
      ...(this.choice.exists(source) ? {} : { source_storage_name: text }),
      ...(destination === null || this.choice.exists(destination) ? {} : { destination_storage_name: text }),
    };
    if (Object.keys(problems).length > 0) throw invalid(problems);
  }
}
