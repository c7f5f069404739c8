import { Injectable } from '@nestjs/common';
import type { GroupCaller, Actor } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { AdjournedDeletionService } from '#core/instance/adjourned-deletion.service.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { DeleteGroupJob } from './delete-group.job.js';
import { GroupsService } from '../groups.service.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { NamespaceTreeService } from '../namespaces/namespace-tree.service.js';
import { PurgeNamespaceService } from './purge-namespace.service.js';

/**
 * Deletes groups, at once or after the grace period of the setting `deletion_adjourned_period` (premium), and
 * restores them.
 */
@Injectable()
export class DeleteGroup {
  constructor(
    private readonly transactions: Transactions,
    private readonly groups: GroupsService,
    private readonly tree: NamespaceTreeService,
    private readonly removal: PurgeNamespaceService,
    private readonly jobs: Jobs,
    private readonly settings: SettingsService,
    private readonly adjourned: AdjournedDeletionService,
    private readonly audit: AuditLogService,
  ) {}

  /** Hides a group and enqueues its removal, or marks it for later. */
  async remove(caller: GroupCaller, isPermanent: boolean, unmodified: UnmodifiedCheck): Promise<void> {
    const delayMs = this.adjourned.delayMs(caller, isPermanent);
    await this.transactions.run(async (tx) => {
      await this.tree.lock(tx);
      const group = await this.groups.findLocked(tx, caller.subject.id);
      unmodified(group.updatedAt);
      await this.record(tx, caller.actor, group, 'Group marked for deletion');
      if (delayMs === 0) {
        await this.removal.schedule(tx, group.id);
        return;
      }
      if (group.markedForDeletionAt) throw badRequest('Group has been already marked for deletion');
      const markedAt = new Date();
      await tx.update(Namespace, { id: group.id }, { markedForDeletionAt: markedAt });
      const payload = { groupId: group.id, markedAt: markedAt.toISOString() };
      await this.jobs.enqueue(tx, DeleteGroupJob, payload, { delayMs });
    });
  }

  /** Cancels a delayed deletion. */
  async restore(caller: GroupCaller): Promise<void> {
    await this.transactions.run(async (tx) => {
      const group = await this.groups.findLocked(tx, caller.subject.id);
      if (!group.markedForDeletionAt) {
        if (this.settings.values.deletion_adjourned_period === 0) throw notFound('Group');
        throw badRequest('Group has not been marked for deletion');
      }
      await tx.update(Namespace, { id: group.id }, { markedForDeletionAt: null });
      await this.record(tx, caller.actor, group, 'Group restored');
    });
  }

  private async record(tx: Tx, author: Actor | null, group: Namespace, text: string): Promise<void> {
    const scope = { type: 'Group', id: group.id, path: group.fullPath } as const;
    const target = { type: 'Group', id: group.id, details: group.fullPath };
    await this.audit.record(tx, author, scope, target, { customMessage: text });
  }
}
