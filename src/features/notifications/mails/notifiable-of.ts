import type { ActivityAction, ActivityHappened } from '#core/activity/activity-happened.event.js';
import type { NoteableType } from '#core/notes/noteables/noteable.js';
import type { NotifiableEvent, NotifiableKind } from '../recipients/notifiable-event.js';

type Kinds = Readonly<Partial<Record<ActivityAction, NotifiableKind>>>;

/** Kinds of notifications by type of noteable. */
const KINDS: Readonly<Partial<Record<NoteableType, Kinds>>> = {
  Issue: {
    created: 'new_issue',
    closed: 'close_issue',
    reopened: 'reopen_issue',
    reassigned: 'reassign_issue',
    relabeled: 'relabeled',
    mentioned: 'mentioned',
  },
  MergeRequest: {
    created: 'new_merge_request',
    closed: 'close_merge_request',
    reopened: 'reopen_merge_request',
    reassigned: 'reassign_merge_request',
    review_requested: 'change_reviewer_merge_request',
    merged: 'merge_merge_request',
    code_pushed: 'push_to_merge_request',
    auto_merge_set: 'merge_when_pipeline_succeeds',
    became_unmergeable: 'became_unmergeable',
    relabeled: 'relabeled',
    mentioned: 'mentioned',
  },
  Epic: {
    created: 'new_epic',
    closed: 'close_epic',
    reopened: 'reopen_epic',
    relabeled: 'relabeled',
    mentioned: 'mentioned',
  },
};

/** Returns the notification event for an activity; null if there is none. */
export function notifiableOf({
  action,
  actorId,
  container,
  target,
  details,
}: ActivityHappened): NotifiableEvent | null {
  if (!target) return null;
  const at = { projectId: container.projectId, groupId: container.groupId, actorId };
  const { noteable, removedUserIds, mentionedUserIds, addedLabelIds } = details;
  if (action === 'commented' && noteable) {
    const about = { type: noteable.type as NoteableType, id: noteable.id };
    const mentioned = noteable.id === null && mentionedUserIds ? { mentionedUserIds } : {};
    return { ...at, ...mentioned, kind: 'new_note', target: about, noteId: target.id };
  }
  if (action === 'moved' && target.type === 'Project')
    return { ...at, kind: 'moved_project', target: { type: 'Project', id: target.id } };
  const kind = KINDS[target.type as NoteableType]?.[action];
  if (kind === undefined) return null;
  return {
    ...at,
    kind,
    target: { type: target.type as NoteableType, id: target.id },
    ...(removedUserIds ? { removedUserIds } : {}),
    ...(kind === 'mentioned' && mentionedUserIds ? { mentionedUserIds } : {}),
    ...(kind === 'relabeled' && addedLabelIds ? { labelIds: addedLabelIds } : {}),
  };
}
