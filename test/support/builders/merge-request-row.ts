import { Transactions } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import {
  MergeRequestChanged,
  type MergeRequestChange,
} from '#core/merge-requests/merge-request-changed.event.js';
import { MergeRequest } from '#core/merge-requests/merge-request.entity.js';
import type { TestApi } from '../api.js';

/** Inserts a merge request without the effects of its creation: for tests of a single part. */
export function buildMergeRequestRow(
  api: TestApi,
  projectId: number,
  values: Partial<MergeRequest> = {},
): Promise<MergeRequest> {
  return api.app.get(Transactions).run(async (tx) => {
    const iid = await api.app.get(InternalIdsService).next(tx, projectId, 'merge_requests');
    const row = { projectId, iid, sourceProjectId: projectId, targetBranch: 'main', authorId: 1 };
    return tx.save(
      MergeRequest,
      Object.assign(new MergeRequest(), { ...row, title: `Change ${String(iid)}`, ...values }),
    );
  });
}

/** Publishes that the merge request has changed, after setting `values`. */
export async function tellOfMergeRequest(
  api: TestApi,
  mergeRequest: MergeRequest,
  change: MergeRequestChange,
  actorId: number,
  values: Partial<MergeRequest> = {},
): Promise<void> {
  await api.app.get(Transactions).run(async (tx) => {
    const row = await tx.save(MergeRequest, Object.assign(mergeRequest, values));
    await api.app
      .get(DomainEvents, { strict: false })
      .publish(tx, new MergeRequestChanged(row, change, actorId));
  });
}
