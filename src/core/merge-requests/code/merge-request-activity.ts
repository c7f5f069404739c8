import { ActivityHappened, type ActivityAction } from '#core/activity/activity-happened.event.js';
import type { MergeRequest } from '../merge-request.entity.js';

/** What somebody did to a merge request, for those who tell of it. */
export const mergeRequestActivity = (
  action: ActivityAction,
  { id, iid, title, projectId }: MergeRequest,
  actorId: number | null,
): ActivityHappened =>
  new ActivityHappened(
    action,
    actorId,
    { projectId, groupId: null },
    { type: 'MergeRequest', id, iid, title },
  );

/** Where notes on a merge request hang. */
export const noteTarget = ({
  id,
  projectId,
}: MergeRequest): {
  readonly type: 'MergeRequest';
  readonly id: number;
  readonly projectId: number;
  readonly groupId: null;
} => ({ type: 'MergeRequest', id, projectId, groupId: null });
