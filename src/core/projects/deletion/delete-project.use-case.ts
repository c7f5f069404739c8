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

/** Deletes projects: at once, or, on premium with the setting `deletion_adjourned_period`, after days of grace. */
@Injectable()
export class DeleteProject {
  constructor(
    private readonly transactions: Transactions,
    private readonly writes: ProjectService,
    private readonly removal: PurgeProjectService,
    private readonly adjourned: AdjournedDeletionService,
    private readonly jobs: Jobs,
  ) {}

  /** Has a job remove the project. Without days of grace nobody sees it any more; `permanently` skips them. */
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

  /** Takes back a deletion within the days of grace. @throws 400 when there is none */
  async restore(id: number, actor: Actor): Promise<void> {
    await this.transactions.run(async (tx) => {
      const project = await this.writes.lock(tx, id);
      if (!project.markedForDeletionAt) throw badRequest('Project is not marked for deletion');
      project.markedForDeletionAt = null;
      await tx.save(project);
      await this.writes.record(tx, actor, project, { customMessage: 'Project restored' });
    });
  }

  /** Hides a project whose days of grace are over; false for one that was restored or is gone. */
  async hideIfDue(tx: Tx, { projectId: id, markedAt }: DeleteProjectPayload): Promise<boolean> {
    const project = await tx.findOne(Project, { where: { id }, lock: { mode: 'for_no_key_update' } });
    if (!project || project.pendingDelete) return project !== null;
    const { markedForDeletionAt: marked } = project;
    // Former versions told no time: they could lose a project whose days of grace had become more.
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
