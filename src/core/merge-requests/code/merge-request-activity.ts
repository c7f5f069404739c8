import { ActivityHappened, type ActivityAction } from '#core/activity/activity-happened.event.js';
import type { MergeRequest } from '../merge-request.entity.js';

/** Creates the activity of a user on a merge request, for listeners. */
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

/** Returns the target of notes on a merge request. */
export const noteTarget = ({
  id,
  projectId,
}: MergeRequest): {
  readonly type: 'MergeRequest';
  readonly id: number;
  readonly projectId: number;
  readonly groupId: null;
} => ({ type: 'MergeRequest', id, projectId, groupId: null });
