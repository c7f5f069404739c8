import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { MergeRequestFinder } from '../merge-request.finder.js';
import { MergeRequest } from '../merge-request.entity.js';

/** Removes merge requests; dependent rows go with theirs. */
@Injectable()
export class DeleteMergeRequest {
  constructor(
    private readonly transactions: Transactions,
    private readonly access: MergeRequestFinder,
    private readonly iids: InternalIdsService,
  ) {}

  /** Removes a merge request. @throws 404, 412 */
  async run(projectId: number, iid: number, unmodified: UnmodifiedCheck): Promise<void> {
    await this.transactions.run(async (tx) => {
      const { id, updatedAt } = await this.access.lock(tx, projectId, iid);
      unmodified(updatedAt);
      await tx.delete(MergeRequest, { id });
      await this.iids.removed(tx, projectId, 'merge_requests', 1);
    });
  }
}
