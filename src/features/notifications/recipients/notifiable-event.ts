import type { Role } from '#kernel/access/roles.js';
import type { NoteableType } from '#core/notes/noteables/noteable.js';
import type { MailEvent } from '../settings/mail-events.js';

/** What users are written of: events that they can switch, and some that they cannot. */
export type NotifiableKind =
  | MailEvent
  | 'close_epic'
  | 'reopen_epic'
  /** Labels were added: those who have subscribed to them. */
  | 'relabeled'
  /** A title or description was changed: those whom it mentions now and did not before. */
  | 'mentioned'
  /** A merge request can no longer be merged: its author, and who had set it to merge by itself. */
  | 'became_unmergeable'
  /** A membership of the reader, who has not asked for it by any setting; only `disabled` keeps it from them. */
  | 'member_added'
  | 'member_changed'
  | 'membership_expiring';

/** What it is about. A commit has no id: `noteId` leads to it. */
export type NotifiableTarget = {
  readonly type: NoteableType | 'Pipeline' | 'Project' | 'Group';
  readonly id: number | null;
};

/** Something that users may want to be written of. It holds ids alone, so that a job can carry it; the rest is read when it runs. */
export type NotifiableEvent = {
  readonly kind: NotifiableKind;
  readonly target: NotifiableTarget;
  /** Of an epic: null. */
  readonly projectId: number | null;
  /** Of what has a project: not needed. */
  readonly groupId: number | null;
  /** Who did it; null for what happens by itself, such as days that pass. */
  readonly actorId: number | null;
  /** Of a new comment. */
  readonly noteId?: number;
  /** Who is no longer assigned or asked to review. Who is now, is read. */
  readonly removedUserIds?: readonly number[];
  /** Whose membership it is, or whom a changed text, or a comment on a commit, mentions; of other new texts they are read. */
  readonly mentionedUserIds?: readonly number[];
  /** Labels that were added later; those of something new are read. */
  readonly labelIds?: readonly number[];
  /** What the membership is by now. */
  readonly membership?: { readonly accessLevel: Role; readonly expiresAt: string | null };
};

/** Why somebody is written to, if that is worth a header (`X-GitLab-NotificationReason`). */
export type MailReason = 'own_activity' | 'assigned' | 'review_requested' | 'mentioned' | 'subscribed';

/** One mail to write. */
export interface Delivery {
  readonly userId: number;
  readonly address: string;
  readonly reason: MailReason | null;
}
