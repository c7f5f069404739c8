import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { UserBasicRow } from '#core/users/records/user-basic.record.js';
import type { MailReason, NotifiableEvent } from '../recipients/notifiable-event.js';
import type { MailNote, MailContainer, MailScene, MailSubject } from './mail-scene.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

/** A notification to send. */
export interface WantedNotification {
  readonly id: number;
  readonly key: string;
  readonly userId: number;
  readonly reason: MailReason | null;
  readonly event: NotifiableEvent;
  readonly createdAt: Date;
}

const WANTED = `select id, unsubscribe_key as key, user_id as "userId", reason, event, created_at as "createdAt"
  from sent_notifications where id = $1 and mailed_at is null`;

/** SQL by type of the target; the parameter is its id, or for a commit that of the note. */
const SUBJECTS: Readonly<Record<NotifiableEvent['target']['type'], string>> = {
  Issue: 'select id, iid, title, description, state, confidential from issues where id = $1',
  MergeRequest:
    'select id, iid, title, description, state, false as confidential from merge_requests where id = $1',
  Epic: 'select id, iid, title, description, state, confidential from epics where id = $1',
  Snippet:
    'select id, null::bigint as iid, title, description, null as state, false as confidential from snippets where id = $1',
  Pipeline:
    'select id, null::bigint as iid, ref as title, null as description, status as state, false as confidential from ci_pipelines where id = $1',
  Project:
    'select id, null::bigint as iid, full_name as title, null as description, null as state, false as confidential from projects where id = $1',
  Group:
    'select id, null::bigint as iid, full_name as title, null as description, null as state, false as confidential from namespaces where id = $1',
  Commit:
    'select id, null::bigint as iid, left(commit_id, 8) as title, null as description, null as state, false as confidential from notes where id = $1',
};

const CONTAINER = `select 'Project' as kind, id, name, full_path from projects where id = $1
  union all select 'Group', id, name, full_path from namespaces where id = $2 and $1::bigint is null`;

const ACTOR = `select ${userColumns('u')} from users u where u.id = $1`;
/** Limit of earlier notes in the references of a mail: threads are kept together by the last ones. */
const EARLIER = 30;

const NOTE = `select n.id, n.body, n.discussion_id, n.commit_id, array(select e.id from (
    select b.id from notes b where b.discussion_id = any(array[n.discussion_id]) and b.id < n.id and not b.system order by b.discussion_id desc, b.id desc limit ${EARLIER}) e
    order by e.id) as earlier_ids
  from notes n where n.id = $1`;

const PEOPLE: Readonly<Partial<Record<NotifiableEvent['kind'], string>>> = {
  reassign_issue: `select ${userColumns('u')} from issue_assignees a join users u on u.id = a.user_id where a.issue_id = $1 order by u.id`,
  reassign_merge_request: `select ${userColumns('u')} from merge_request_assignees a join users u on u.id = a.user_id
    where a.merge_request_id = $1 order by u.id`,
  change_reviewer_merge_request: `select ${userColumns('u')} from merge_request_reviewers a join users u on u.id = a.user_id
    where a.merge_request_id = $1 order by u.id`,
};

/** Reads the content of mails. */
@Injectable()
export class MailSceneQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns an unsent notification; null if it was sent, or is no longer wanted. */
  wanted(id: number): Promise<WantedNotification | null> {
    return this.database.one<WantedNotification>(WANTED, [id]);
  }

  /** Returns the content of a mail; null if its noteable no longer exists. */
  async scene(wanted: WantedNotification): Promise<MailScene | null> {
    const { event, ...mail } = wanted;
    const { target, projectId, groupId, actorId, noteId = null, kind } = event;
    const people = PEOPLE[kind];
    const [subject, container, actor, note, persons] = await Promise.all([
      this.database.one<MailSubject>(SUBJECTS[target.type], [target.id ?? noteId]),
      this.database.one<MailContainer>(CONTAINER, [projectId, groupId]),
      this.database.one<UserBasicRow>(ACTOR, [actorId]),
      this.database.one<MailNote>(NOTE, [noteId]),
      people === undefined ? [] : this.database.short<UserBasicRow>(people, [target.id]),
    ]);
    if (!subject || !container || (noteId !== null && !note)) return null;
    return { ...mail, event, subject, container, actor, note, people: persons };
  }
}
