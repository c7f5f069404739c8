import { randomBytes, randomUUID } from 'node:crypto';
import { mentionedNames } from '#core/notes/participants/mentioned-names.js';
import { callerOf, person } from './access.js';
import { ask, statement, type Database } from './database.js';
import { json, require, textOf, type Answer, type Sent } from './http.js';
import { iidOf } from './issue-record.js';
import { enqueue, happened } from './outbox.js';

const ISSUE = statement<{ id: number; iid: number; author_id: number; confidential: boolean; discussion_locked: boolean | null; is_assignee: boolean }>(
  'noteable',
  `select i.id, i.iid, i.author_id, i.confidential, i.discussion_locked, exists (select 1 from issue_assignees a where a.issue_id = i.id and a.user_id = $3) as is_assignee
   from issues i where i.project_id = $1 and i.iid = $2`,
);
const USABLE = `u.state = 'active' and not u.pending_delete and u.user_type <> 'ghost'`;
const MENTIONED = statement<{ id: number; via: number | null }>(
  'mentioned',
  `select u.id, null::bigint as via from users u where lower(u.username) = any($1::text[]) and ${USABLE}
   union (select u.id, g.id from routes r join namespaces g on r.source_type = 'Namespace' and g.id = r.source_id and g.type = 'Group' and not g.pending_delete
     join members m on m.source_type = 'Namespace' and m.source_id = g.id and (m.expires_at is null or m.expires_at > current_date)
     join users u on u.id = m.user_id and ${USABLE}
     where r.path = any($1::text[]) and not r.redirect and not exists (select 1 from namespaces up where up.id = any(g.traversal_ids) and up.settings -> 'mentions_disabled' = 'true')
       and (g.visibility = 'public' or exists (select 1 from members o where o.user_id = $2 and o.source_type = 'Namespace' and o.source_id = any(g.traversal_ids)))
     order by u.id limit 10000)`,
);
const INSERT = statement<{ id: number; created_at: Date; updated_at: Date }>(
  'note',
  `with thing as (select 1 from issues where id = $1::bigint for no key update)
   insert into notes (noteable_type, noteable_id, project_id, author_id, discussion_id, body, internal, created_at, updated_at)
   select 'Issue', $1::bigint, $2, $3, $4, $5, false, now(), now() from thing returning id, created_at, updated_at`,
);
const MENTION = statement(
  'mention',
  `insert into mentions (target_type, target_id, note_id, user_id, via_group_id)
   select 'Issue', $1, $2, id, via from unnest($3::bigint[], $4::bigint[]) x(id, via) order by id on conflict do nothing`,
);

/** Adds a note to an issue. */
export async function addNote(database: Database, sent: Sent, projectId: number): Promise<Answer> {
  const caller = await callerOf(database, sent, projectId, 10);
  const text = textOf(json(sent)['body'], 'body', 1_048_576);
  require(!/^\/\w/m.test(text), 501, 'Not part of the reference');
  const { names, all } = mentionedNames(text);
  require(!all, 501, 'Not part of the reference');
  const { made, issue } = await database.transaction(async (tx) => {
    const [[found], mentioned] = await tx.send(ask(ISSUE, projectId, iidOf(sent), caller.id), ask(MENTIONED, [...names], caller.id));
    const isMember = caller.role >= 20;
    require(found !== undefined && (!found.confidential || isMember || found.author_id === caller.id || found.is_assignee), 404, '404 Issue Not Found');
    require(found.discussion_locked !== true || isMember, 403, '403 Forbidden');
    const [[row]] = await tx.send(ask(INSERT, found.id, projectId, caller.id, randomBytes(20).toString('hex'), text));
    require(row !== undefined, 404, '404 Issue Not Found');
    const event = { kind: 'new_note', noteId: row.id, target: { id: found.id, type: 'Issue' }, actorId: caller.id, groupId: null, projectId };
    await tx.commit(
      ask(MENTION, found.id, row.id, mentioned.map(({ id }) => id), mentioned.map(({ via }) => via)),
      enqueue({ queue: 'notifications', name: 'notifications.fan-out', payload: { event, eventId: randomUUID() } }),
      happened({ projectId, authorId: caller.id, kind: 102, id: row.id, iid: row.id, subjectId: found.id }),
    );
    return { made: row, issue: found };
  });
  database.announce();
  return {
    status: 201,
    body: {
      ...{ id: made.id, type: null, body: text, attachment: null, author: person(caller, sent.host), created_at: made.created_at, updated_at: made.updated_at },
      ...{ system: false, noteable_id: issue.id, noteable_type: 'Issue', noteable_iid: issue.iid, project_id: projectId, resolvable: false },
      ...{ confidential: false, internal: false, commands_changes: {} },
    },
  };
}
