/**
 * Actions of users. The first twelve become activity events (`planning.md` 1.2); the others are only for
 * notifications.
 */
export type ActivityAction =
  | 'created'
  | 'updated'
  | 'closed'
  | 'reopened'
  | 'pushed'
  | 'commented'
  | 'merged'
  | 'joined'
  | 'left'
  | 'destroyed'
  | 'expired'
  | 'approved'
  | 'reassigned'
  | 'review_requested'
  | 'relabeled'
  | 'mentioned'
  | 'code_pushed'
  | 'auto_merge_set'
  | 'became_unmergeable'
  | 'moved';

/** Object of an action. */
export interface ActivityTarget {
  readonly type: 'Issue' | 'MergeRequest' | 'Milestone' | 'Note' | 'WikiPage::Meta' | 'Epic' | 'Project';
  /** 0 for a wiki page. */
  readonly id: number;
  /** Null for objects without a number. */
  readonly iid: number | null;
  readonly title: string | null;
}

/** Container of the object: a project, or a group. */
export interface ActivityContainer {
  readonly projectId: number | null;
  readonly groupId: number | null;
}

/** Details of some kinds of activity. Ids are those of users. */
export interface ActivityDetails {
  /** The noteable of a note; a commit has no id. */
  readonly noteable?: { readonly type: string; readonly id: number | null };
  readonly internal?: boolean;
  /** Users who were assigned or asked to review, and who no longer are. */
  readonly addedUserIds?: readonly number[];
  readonly removedUserIds?: readonly number[];
  /** Newly mentioned users. */
  readonly mentionedUserIds?: readonly number[];
  readonly addedLabelIds?: readonly number[];
  /** For a push, the payload of `planning.md` 1.5. */
  readonly push?: Readonly<Record<string, unknown>>;
  /** For a wiki page. */
  readonly wiki?: {
    readonly format: string;
    readonly slug: string;
    readonly title: string;
    readonly version: string;
  };
  /** For a moved issue: the issue in the other project, and whether the move closed it here. */
  readonly movedTo?: {
    readonly projectId: number;
    readonly target: ActivityTarget;
    readonly hasClosedIt: boolean;
  };
  /** Time of the action, if not now. */
  readonly at?: Date;
}

/** An action that activity events or mails report; published in its transaction. */
export class ActivityHappened {
  constructor(
    readonly action: ActivityAction,
    /** Null if no known user did it. */
    readonly actorId: number | null,
    readonly container: ActivityContainer,
    /** Null for pushes, memberships and new projects. */
    readonly target: ActivityTarget | null,
    readonly details: ActivityDetails = {},
  ) {}
}
