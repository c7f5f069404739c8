import { randomBytes, randomUUID } from 'node:crypto';
import { callerOf, ROLE } from './access.js';
import { ask, statement, type Database } from './database.js';
import { json, require, textOf, textOrNull, type Answer, type Sent } from './http.js';
import { iidOf, issueRecord, LOCKED_ISSUE, newIssueRow } from './issue-record.js';
import { enqueue, happened, type QueuedJob } from './outbox.js';

const LABELS = statement<{ id: number; title: string }>(
  'labels',
  `select l.id, l.title from labels l where l.title = any($2::text[]) and (l.project_id = $1 or l.group_id = any((select n.traversal_ids from namespaces n
     where n.id = (select p.namespace_id from projects p where p.id = $1 for key share) for key share)::bigint[])) order by l.id for key share of l`,
);
const ASSIGNEES = statement<{ id: number; username: string; name: string; state: string }>(
  'assignees',
  `select u.id, u.username, u.name, u.state from users u cross join projects p join namespaces n on n.id = p.namespace_id
   where p.id = $1 and u.id = any($2::bigint[]) and u.state = 'active' and not u.pending_delete and coalesce(p.settings->>'issues_access_level', 'enabled') <> 'disabled'
     and (p.visibility = 'public' or p.visibility = 'internal' and not u.external or u.admin or ${ROLE} >= 10) order by u.id for key share of u`,
);
const INSERT = statement<{ id: number; iid: number; created_at: Date; updated_at: Date }>(
  'issue',
  `with number as (insert into internal_ids (project_id, usage, last_value, live_count) values ($1::bigint, 'issues', 1, 1)
     on conflict (project_id, usage) do update set last_value = internal_ids.last_value + 1, live_count = internal_ids.live_count + 1 returning last_value)
   insert into issues (project_id, iid, author_id, title, description, task_count, completed_task_count, confidential, issue_type, created_at, updated_at)
   select $1::bigint, last_value, $2, $3, $4, 0, 0, false, 'issue', t.at, t.at from number, (select date_trunc('milliseconds', clock_timestamp()) as at) t
   returning id, iid, created_at, updated_at`,
);
const LABEL = statement(
  'label',
  `with come as (insert into issue_labels (issue_id, label_id) select $1, l from unnest($2::bigint[]) l order by l returning label_id)
   insert into resource_label_events (issue_id, user_id, label_id, action) select $1, $3, label_id, 'add' from come order by label_id`,
);
const ASSIGN = statement('assign', 'insert into issue_assignees (issue_id, user_id) select $1, u from unnest($2::bigint[]) u order by u');

const fanOut = (kind: string, issueId: number, actorId: number, projectId: number): QueuedJob => ({
  ...{ queue: 'notifications', name: 'notifications.fan-out' },
  payload: { event: { kind, target: { id: issueId, type: 'Issue' }, actorId, groupId: null, projectId }, eventId: randomUUID() },
});

/** Creates an issue with labels that are there, and assignees. */
export async function createIssue(database: Database, sent: Sent, projectId: number): Promise<Answer> {
  const caller = await callerOf(database, sent, projectId, 20);
  const body = json(sent);
  const title = textOf(body['title'], 'title', 255);
  const description = textOrNull(body['description'], 'description', 1_048_576);
  const titles = [...new Set((textOrNull(body['labels'], 'labels', 10_000) ?? '').split(',').map((one) => one.trim()).filter(Boolean))];
  const people = (body['assignee_ids'] ?? []) as unknown[];
  require(Array.isArray(people) && people.every((id) => Number.isSafeInteger(id)), 400, 'assignee_ids is invalid');
  // Tasks, commands and mentions are not sent by the benches.
  require(!/^\s*([-*+]|\d+[.)])\s+\[[ x]\]|^\/\w|@/im.test(description ?? ''), 501, 'Not part of the reference');
  const row = await database.transaction(async (tx) => {
    const [labels, assignees] = await tx.send(ask(LABELS, projectId, titles), ask(ASSIGNEES, projectId, people));
    require(labels.length === titles.length, 501, 'Not part of the reference');
    const [[made]] = await tx.send(ask(INSERT, projectId, caller.id, title, description));
    require(made !== undefined, 500, 'Nothing was written');
    await tx.commit(
      ask(LABEL, made.id, labels.map(({ id }) => id), caller.id),
      ask(ASSIGN, made.id, assignees.map(({ id }) => id)),
      enqueue(fanOut('new_issue', made.id, caller.id, projectId)),
      happened({ projectId, authorId: caller.id, kind: 33, id: made.id, iid: made.iid, subjectId: made.id }),
    );
    return newIssueRow(made, caller, { title, description, labels: labels.map((label) => label.title).sort(), assignees });
  });
  database.announce();
  return { status: 201, body: { ...(issueRecord(row) as object), subscribed: true } };
}

const CLOSE = statement<{ closed_at: Date; updated_at: Date }>(
  'close',
  `update issues set state = 'closed', closed_by_id = $2, closed_at = t.at, updated_at = t.at from (select date_trunc('milliseconds', clock_timestamp()) as at) t
   where id = $1 returning closed_at, updated_at`,
);
const STATE_EVENT = statement('state event', `insert into resource_state_events (issue_id, user_id, state) values ($1, $2, 'closed')`);
const NOTE = statement(
  'system note',
  `insert into notes (noteable_type, noteable_id, project_id, author_id, discussion_id, body, system, system_action)
   values ('Issue', $1, $2, $3, $4, 'closed', true, 'closed')`,
);
const ALERTS = statement<{ id: number }>(
  'resolve alerts',
  'update alerts set status = 2, ended_at = now(), updated_at = now() where issue_id = $1 and status <> 2 returning id',
);

/** Closes an issue that is open. */
export async function closeIssue(database: Database, sent: Sent, projectId: number): Promise<Answer> {
  const caller = await callerOf(database, sent, projectId, 10);
  const body = json(sent);
  require(body['state_event'] === 'close' && Object.keys(body).length === 1, 501, 'Not part of the reference');
  const row = await database.transaction(async (tx) => {
    const [[found]] = await tx.send(ask(LOCKED_ISSUE, projectId, iidOf(sent)));
    const mayRead = found !== undefined && (found['confidential'] !== true || found.author_id === caller.id || caller.role >= 20);
    require(mayRead, 404, '404 Issue Not Found');
    require(found.author_id === caller.id || caller.role >= 20, 403, '403 Forbidden');
    require(found.state === 'opened', 501, 'Not part of the reference');
    const { id, iid } = found;
    const [[closed], , , , , alerts] = await tx.commit(
      ask(CLOSE, id, caller.id),
      ask(STATE_EVENT, id, caller.id),
      ask(NOTE, id, projectId, caller.id, randomBytes(20).toString('hex')),
      enqueue(fanOut('close_issue', id, caller.id, projectId)),
      happened({ projectId, authorId: caller.id, kind: 35, id, iid, subjectId: id }),
      ask(ALERTS, id),
    );
    require(alerts.length === 0, 501, 'Not part of the reference');
    return { ...found, ...closed, state: 'closed', c_id: caller.id, c_username: caller.username, c_name: caller.name, c_state: caller.state };
  });
  database.announce();
  return { status: 200, body: { ...(issueRecord(row) as object), subscribed: true } };
}
