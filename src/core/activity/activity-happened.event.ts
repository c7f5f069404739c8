/** What somebody did. The first twelve become activity events (`planning.md` 1.2); the others only concern those who send mails. */
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

/** What it was done to. */
export interface ActivityTarget {
  readonly type: 'Issue' | 'MergeRequest' | 'Milestone' | 'Note' | 'WikiPage::Meta' | 'Epic' | 'Project';
  /** Of a page of a wiki: 0. */
  readonly id: number;
  /** Null for what has none. */
  readonly iid: number | null;
  readonly title: string | null;
}

/** Where: in a project, or in a group alone. */
export interface ActivityPlace {
  readonly projectId: number | null;
  readonly groupId: number | null;
}

/** What some kinds of activity say besides. Ids are those of users. */
export interface ActivityDetails {
  /** On what a note hangs; a commit has no id. */
  readonly noteable?: { readonly type: string; readonly id: number | null };
  readonly internal?: boolean;
  /** Who has been assigned or asked to review now, and who no longer is. */
  readonly addedUserIds?: readonly number[];
  readonly removedUserIds?: readonly number[];
  /** Who is mentioned and was not before. */
  readonly mentionedUserIds?: readonly number[];
  readonly addedLabelIds?: readonly number[];
  /** Of a push: the payload of `planning.md` 1.5. */
  readonly push?: Readonly<Record<string, unknown>>;
  /** Of a page of a wiki. */
  readonly wiki?: {
    readonly format: string;
    readonly slug: string;
    readonly title: string;
    readonly version: string;
  };
  /** Of an issue that moves: what it is in the other project, and whether that has closed it here. */
  readonly movedTo?: {
    readonly projectId: number;
    readonly target: ActivityTarget;
    readonly hasClosedIt: boolean;
  };
  /** When it happened, if not now. */
  readonly at?: Date;
}

/** Something has been done that activity events or mails tell of; in the transaction that does it. */
export class ActivityHappened {
  constructor(
    readonly action: ActivityAction,
    /** Null when nobody who is known any more did it. */
    readonly actorId: number | null,
    readonly place: ActivityPlace,
    /** Null for pushes, memberships and new projects. */
    readonly target: ActivityTarget | null,
    readonly details: ActivityDetails = {},
  ) {}
}
