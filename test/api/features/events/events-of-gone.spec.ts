import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { EventRecord } from '#features/events/event.record.js';
import type { TestApi } from '../../../support/api.js';
import {
  insertIssue,
  insertMilestone,
  publishActivity,
  publishNote,
} from '../../../support/builders/event.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

const list = async (path: string, client: ApiClient): Promise<EventRecord[]> => {
  const { status, body } = await client.get<EventRecord[]>(path);
  expect(status).toBe(200);
  return body;
};

it('events of actions on removed targets are kept, without identifying the targets', async () => {
  const { id } = await buildProject(api.root, { visibility: 'public' });
  const gone = await insertIssue(api, id, 1);
  const secret = await insertIssue(api, id, 1);
  await api.sql('update issues set confidential = true where id = $1', [secret.id]);
  const milestone = await insertMilestone(api, id);
  await publishActivity(api, id, 1, 'created', { type: 'Issue', ...gone });
  await publishActivity(api, id, 1, 'created', { type: 'Issue', ...secret });
  const note = await publishNote(api, id, 1, { type: 'Issue', id: gone.id });
  const internal = await publishNote(api, id, 1, { type: 'Issue', id: gone.id });
  await api.sql('update notes set internal = true where id = $1', [internal]);
  const said = await publishNote(api, id, 1, { type: 'Commit', id: 'a'.repeat(40) });
  await publishActivity(api, id, 1, 'created', { type: 'Milestone', ...milestone });
  await publishActivity(api, id, 1, 'destroyed', { type: 'Milestone', ...milestone });
  const stranger = (await createUser(api)).client;
  const seen = async (client: ApiClient): Promise<string[]> =>
    (await list(`/projects/${id}/events?sort=asc`, client)).map((one) =>
      [one.action_name, one.target_type, one.target_id && 'id', one.target_iid && 'iid', one.target_title]
        .map((part) => part ?? '-')
        .join(' '),
    );
  expect([(await seen(api.root)).length, (await seen(stranger)).length]).toEqual([8, 6]);
  await api.sql('delete from notes where id = any($1)', [[note, said]]);
  const comments = (await seen(api.root)).filter((one) => one.includes('Note'));
  expect(comments).toHaveLength(3);
  expect(comments.filter((one) => one.includes(' id'))).toHaveLength(1);
  await api.sql('delete from issues where id = any($1)', [[gone.id, secret.id]]);
  await api.sql('delete from milestones where id = $1', [milestone.id]);
  const after = (open: boolean): string[] => [
    'created - - - -',
    'opened Issue - - -',
    ...(open ? [] : ['opened Issue - - -']),
    'commented on Note - - -',
    ...(open ? [] : ['commented on Note - - -']),
    'commented on Note - - -',
    'opened Milestone - - -',
    `destroyed Milestone id iid ${milestone.title}`,
  ];
  expect(await seen(api.root)).toEqual(after(false));
  expect(await seen(stranger)).toEqual(after(true));
  const counted = await stranger.get(`/projects/${id}/events?per_page=1`);
  expect(counted.headers.get('x-total')).toBe('6');
  const own = await list('/events?target_type=issue&per_page=100', api.root);
  expect(own.filter((one) => one.project_id === id)).toHaveLength(2);
});

it('events of notes on removed snippets that were not public are hidden from others', async () => {
  const { id } = await buildProject(api.root, { visibility: 'public' });
  const stranger = (await createUser(api)).client;
  for (const visibility of ['public', 'private']) {
    const [snippet] = await api.sql<{ id: number }>(
      `insert into snippets (project_id, author_id, title, visibility) values ($1, 1, 'S', $2) returning id`,
      [id, visibility],
    );
    await publishNote(api, id, 1, { type: 'Snippet', id: snippet?.id ?? 0 });
  }
  const lengths = async (): Promise<number[]> =>
    Promise.all(
      [api.root, stranger].map(
        async (client) => (await list(`/projects/${id}/events?target_type=note`, client)).length,
      ),
    );
  expect(await lengths()).toEqual([2, 1]);
  await api.sql('delete from snippets where project_id = $1', [id]);
  expect(await lengths()).toEqual([2, 1]);
});
