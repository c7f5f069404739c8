import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { AdjournedDeletionService } from '#core/instance/adjourned-deletion.service.js';
import { DeleteGroupJob, type DeleteGroupPayload } from './delete-group.job.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { NamespaceTreeService } from '../namespaces/namespace-tree.service.js';
import { PurgeNamespaceService } from './purge-namespace.service.js';

const PROJECTS_AT_ONCE = 20;

/**
 * Removes a group bottom-up in small transactions, so that a repeated run continues where the last one
 * stopped.
 */
@Injectable()
export class DeleteGroupProcessor extends JobProcessor<DeleteGroupPayload> {
  readonly job = DeleteGroupJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly tree: NamespaceTreeService,
    private readonly removal: PurgeNamespaceService,
  ) {
    super();
  }

  async process({ groupId, markedAt }: DeleteGroupPayload, { signal }: JobContext): Promise<void> {
    if (!(await this.transactions.run((tx) => this.isDue(tx, groupId, markedAt)))) return;
    const steps = [
      (tx: Tx) => this.removal.removeSomeProjects(tx, groupId, PROJECTS_AT_ONCE),
      (tx: Tx) => this.removal.removeDeepestGroup(tx, groupId),
    ];
    for (const step of steps) while (await this.transactions.run(step)) signal.throwIfAborted();
  }

  /** Hides a group whose grace period is over; false if it was restored or no longer exists. */
  private async isDue(tx: Tx, groupId: number, markedAt: string | undefined): Promise<boolean> {
    await this.tree.lock(tx);
    const group = await tx.findOne(Namespace, {
      where: { id: groupId, type: 'Group' },
      lock: { mode: 'pessimistic_write' },
    });
    if (!group || group.pendingDelete) return group !== null;
    if (!AdjournedDeletionService.isDue(group.markedForDeletionAt, markedAt)) return false;
    await this.removal.hide(tx, groupId);
    return true;
  }
}
