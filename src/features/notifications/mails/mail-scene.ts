import type { UserBasicRow } from '#core/users/records/user-basic.record.js';
import type { MailReason, NotifiableEvent } from '../recipients/notifiable-event.js';

/** Facts of the noteable in a mail. */
export interface MailSubject {
  readonly id: number;
  /** Null for pipelines, snippets and commits. */
  readonly iid: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly state: string | null;
  readonly confidential: boolean;
}

/** The project or group of the event. */
export interface MailContainer {
  readonly kind: 'Project' | 'Group';
  readonly id: number;
  readonly name: string;
  readonly full_path: string;
}

/** The comment in a mail. */
export interface MailNote {
  readonly id: number;
  readonly body: string;
  readonly discussion_id: string;
  readonly commit_id: string | null;
  /** Ids of the latest earlier notes in its discussion, oldest first. */
  readonly earlier_ids: readonly number[];
}

/** Content of a mail at the time it is written. */
export interface MailScene {
  readonly event: NotifiableEvent;
  /** Id of the notification's row. */
  readonly id: number;
  readonly key: string;
  readonly reason: MailReason | null;
  readonly createdAt: Date;
  readonly subject: MailSubject;
  readonly container: MailContainer;
  readonly actor: UserBasicRow | null;
  readonly note: MailNote | null;
  /** Present assignees or reviewers. */
  readonly people: readonly UserBasicRow[];
}
