import {
  ActivityHappened,
  type ActivityAction,
  type ActivityDetails,
  type ActivityTarget,
} from '#core/activity/activity-happened.event.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Transactions } from '#kernel/database/transactions.js';
import type { TestApi } from '../api.js';

/** A planned object, inserted directly. */
export interface Planned {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
}

let serial = 0;

async function insert(api: TestApi, text: string, values: readonly unknown[]): Promise<number> {
  const [row] = await api.sql<{ id: number }>(`${text} returning id`, values);
  return row?.id ?? 0;
}

/** Inserts an issue without its routes. */
export async function insertIssue(
  api: TestApi,
  projectId: number,
  authorId: number | null,
  confidential = false,
): Promise<Planned> {
  const iid = (serial += 1);
  const title = `Issue ${iid}`;
  const id = await insert(
    api,
    'insert into issues (project_id, iid, author_id, title, confidential) values ($1, $2, $3, $4, $5)',
    [projectId, iid, authorId, title, confidential],
  );
  return { id, iid, title };
}

/** Inserts a merge request without its routes. */
export async function insertMergeRequest(
  api: TestApi,
  projectId: number,
  authorId: number,
): Promise<Planned> {
  const iid = (serial += 1);
  const title = `Merge request ${iid}`;
  const id = await insert(
    api,
    `insert into merge_requests (project_id, iid, author_id, title, source_project_id, source_branch, target_branch)
     values ($1, $2, $3, $4, $1, $4, 'main')`,
    [projectId, iid, authorId, title],
  );
  return { id, iid, title };
}

/** Inserts a milestone without its routes. */
export async function insertMilestone(api: TestApi, projectId: number): Promise<Planned> {
  const iid = (serial += 1);
  const title = `Milestone ${iid}`;
  const id = await insert(api, 'insert into milestones (project_id, iid, title) values ($1, $2, $3)', [
    projectId,
    iid,
    title,
  ]);
  return { id, iid, title };
}

/** Inserts a note without its routes; on a commit with its sha instead of an id. */
export async function insertNote(
  api: TestApi,
  projectId: number,
  authorId: number,
  on: { readonly type: string; readonly id: number | string },
  internal = false,
): Promise<number> {
  const isCommit = on.type === 'Commit';
  return insert(
    api,
    `insert into notes (noteable_type, noteable_id, commit_id, project_id, author_id, discussion_id, body, internal)
     values ($1, $2, $3, $4, $5, 'd', 'Said', $6)`,
    [on.type, isCommit ? null : on.id, isCommit ? on.id : null, projectId, authorId, internal],
  );
}

/** Publishes the events of a module that did something in a project. */
export async function publishActivity(
  api: TestApi,
  projectId: number,
  actorId: number,
  action: ActivityAction,
  target: ActivityTarget | null,
  details: ActivityDetails = {},
): Promise<void> {
  const place = { projectId, groupId: null };
  const activity = new ActivityHappened(action, actorId, place, target, details);
  await api.app.get(Transactions).run((tx) => api.app.get(DomainEvents).publish(tx, activity));
}

/** Publishes a comment on an object. */
export async function publishNote(
  api: TestApi,
  projectId: number,
  authorId: number,
  on: { readonly type: string; readonly id: number | string },
  internal = false,
): Promise<number> {
  const id = await insertNote(api, projectId, authorId, on, internal);
  const noteable = { type: on.type, id: typeof on.id === 'number' ? on.id : null };
  const target = { type: 'Note', id, iid: null, title: null } as const;
  await publishActivity(api, projectId, authorId, 'commented', target, { noteable, internal });
  return id;
}
