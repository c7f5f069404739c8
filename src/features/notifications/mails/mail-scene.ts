import type { UserBasicRow } from '#core/users/records/user-basic.record.js';
import type { MailReason, NotifiableEvent } from '../recipients/notifiable-event.js';

/** The thing that a mail tells of, as far as mails tell of it. */
export interface MailSubject {
  readonly id: number;
  /** Of pipelines, snippets and commits: null. */
  readonly iid: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly state: string | null;
  readonly confidential: boolean;
}

/** The project or group in which it happened. */
export interface MailPlace {
  readonly kind: 'Project' | 'Group';
  readonly id: number;
  readonly name: string;
  readonly full_path: string;
}

/** A comment that a mail tells of. */
export interface MailNote {
  readonly id: number;
  readonly body: string;
  readonly discussion_id: string;
  readonly commit_id: string | null;
  /** Ids of the latest notes before it in its discussion, oldest first. */
  readonly earlier_ids: readonly number[];
}

/** What a mail is made of, as it is when the mail is written. */
export interface MailScene {
  readonly event: NotifiableEvent;
  /** Id of the row that the mail has. */
  readonly id: number;
  readonly key: string;
  readonly reason: MailReason | null;
  readonly createdAt: Date;
  readonly subject: MailSubject;
  readonly place: MailPlace;
  readonly actor: UserBasicRow | null;
  readonly note: MailNote | null;
  /** Who is assigned, or asked to review, now. */
  readonly people: readonly UserBasicRow[];
}
