import { Injectable } from '@nestjs/common';
import type { UserCaller, Actor } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { AdjournedDeletionService } from '#core/instance/adjourned-deletion.service.js';
import { DeleteProjectJob, type DeleteProjectPayload } from './delete-project.job.js';
import { PurgeProjectService } from './purge-project.service.js';
import { ProjectService } from '../project.service.js';
import { Project } from '../project.entity.js';

/**
 * Deletes projects: at once, or after the grace period of the setting `deletion_adjourned_period` (premium).
 */
@Injectable()
export class DeleteProject {
  constructor(
    private readonly transactions: Transactions,
    private readonly writes: ProjectService,
    private readonly removal: PurgeProjectService,
    private readonly adjourned: AdjournedDeletionService,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Enqueues the removal of the project. Without a grace period it is hidden at once; `permanently` skips the
   * period.
   */
  async delete(
    id: number,
    caller: UserCaller,
    unmodified: UnmodifiedCheck,
    permanently: boolean,
  ): Promise<void> {
    const delayMs = this.adjourned.delayMs(caller, permanently);
    await this.transactions.run(async (tx) => {
      const project = await this.writes.lock(tx, id);
      unmodified(project.updatedAt);
      const actor = caller.actor;
      if (delayMs > 0) {
        if (project.markedForDeletionAt) throw badRequest('Project has been already marked for deletion');
        project.markedForDeletionAt = new Date();
        await tx.save(project);
        await this.writes.record(tx, actor, project, { customMessage: 'Project marked for deletion' });
      } else {
        await this.writes.record(tx, actor, project, { remove: 'project' });
        await this.removal.hide(tx, id);
      }
      await this.enqueue(tx, id, delayMs > 0 ? project.markedForDeletionAt : null, delayMs);
    });
  }

  /** Cancels a deletion during the grace period. @throws 400 if there is none */
  async restore(id: number, actor: Actor): Promise<void> {
    await this.transactions.run(async (tx) => {
      const project = await this.writes.lock(tx, id);
      if (!project.markedForDeletionAt) throw badRequest('Project is not marked for deletion');
      project.markedForDeletionAt = null;
      await tx.save(project);
      await this.writes.record(tx, actor, project, { customMessage: 'Project restored' });
    });
  }

  /** Hides a project whose grace period is over; false if it was restored or no longer exists. */
  async hideIfDue(tx: Tx, { projectId: id, markedAt }: DeleteProjectPayload): Promise<boolean> {
    const project = await tx.findOne(Project, { where: { id }, lock: { mode: 'for_no_key_update' } });
    if (!project || project.pendingDelete) return project !== null;
    const { markedForDeletionAt: marked } = project;
    // Jobs of former versions had no time: they might remove a project whose grace period was extended.
    if (markedAt === undefined && marked) await this.enqueue(tx, id, marked, this.adjourned.restMs(marked));
    if (!AdjournedDeletionService.isDue(marked, markedAt)) return false;
    await this.removal.hide(tx, id);
    return true;
  }

  private enqueue(tx: Tx, projectId: number, marked: Date | null, delayMs: number): Promise<void> {
    const payload = { projectId, ...(marked === null ? {} : { markedAt: marked.toISOString() }) };
    return this.jobs.enqueue(tx, DeleteProjectJob, payload, { delayMs });
  }
}
