import type { Role } from '#kernel/access/roles.js';
import type { NoteableType } from '#core/notes/noteables/noteable.js';
import type { MailEvent } from '../settings/mail-events.js';

/** Kinds of notification events: those that users can switch, and some others. */
export type NotifiableKind =
  | MailEvent
  | 'close_epic'
  | 'reopen_epic'
  /** Labels were added: for their subscribers. */
  | 'relabeled'
  /** A title or description was changed: for newly mentioned users. */
  | 'mentioned'
  /** A merge request can no longer be merged: for its author and the user who enabled auto-merge. */
  | 'became_unmergeable'
  /** The reader's own membership, independent of settings except `disabled`. */
  | 'member_added'
  | 'member_changed'
  | 'membership_expiring';

/** The target of the event. A commit has no id: `noteId` identifies it. */
export type NotifiableTarget = {
  readonly type: NoteableType | 'Pipeline' | 'Project' | 'Group';
  readonly id: number | null;
};

/**
 * An event with possible notifications. Only ids, so that a job can contain it; the rest is read when it
 * runs.
 */
export type NotifiableEvent = {
  readonly kind: NotifiableKind;
  readonly target: NotifiableTarget;
  /** Null for an epic. */
  readonly projectId: number | null;
  /** Not needed with a project. */
  readonly groupId: number | null;
  /** The author; null for scheduled events. */
  readonly actorId: number | null;
  /** For a new comment. */
  readonly noteId?: number;
  /** Users no longer assigned or asked to review. Present ones are read. */
  readonly removedUserIds?: readonly number[];
  /**
   * The member, or users mentioned in a changed text or in a comment on a commit; for other new texts they
   * are read.
   */
  readonly mentionedUserIds?: readonly number[];
  /** Labels added later; those of a new noteable are read. */
  readonly labelIds?: readonly number[];
  /** The present membership. */
  readonly membership?: { readonly accessLevel: Role; readonly expiresAt: string | null };
};

/** Why a user is notified, if worth a header (`X-GitLab-NotificationReason`). */
export type MailReason = 'own_activity' | 'assigned' | 'review_requested' | 'mentioned' | 'subscribed';

/** A mail to write. */
export interface Delivery {
  readonly userId: number;
  readonly address: string;
  readonly reason: MailReason | null;
}
