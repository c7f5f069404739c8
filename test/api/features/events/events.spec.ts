import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { PruneMembersProcessor } from '#core/members/expiry/prune-members.processor.js';
import type { EventRecord } from '#features/events/event.record.js';
import { PRUNED_AT_ONCE, PruneEventsProcessor } from '#features/events/prune-events.processor.js';
import type { TestApi } from '../../../support/api.js';
import {
  insertIssue,
  insertMergeRequest,
  insertMilestone,
  publishActivity,
  publishNote,
  type Planned,
} from '../../../support/builders/event.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { clientOf, createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';
import { readsDuring } from '../../../support/watched-reads.js';

const CONTEXT = { signal: new AbortController().signal } as JobContext;

describe('activity events', () => {
  let api: TestApi;
  let jane: CreatedUser;
  let projectId: number;
  let issue: Planned;

  beforeAll(async () => {
    api = await borrowApi();
    jane = await createUser(api);
    projectId = (await buildProject(api.root)).id;
    await buildMember(api, `projects/${projectId}`, jane.id, 30);
    issue = await insertIssue(api, projectId, jane.id);
    const mergeRequest = await insertMergeRequest(api, projectId, jane.id);
    const milestone = await insertMilestone(api, projectId);
    for (const action of ['created', 'closed', 'reopened'] as const)
      await publishActivity(api, projectId, jane.id, action, { type: 'Issue', ...issue });
    for (const action of ['created', 'approved', 'merged'] as const)
      await publishActivity(api, projectId, jane.id, action, { type: 'MergeRequest', ...mergeRequest });
    for (const action of ['created', 'destroyed'] as const)
      await publishActivity(api, projectId, jane.id, action, { type: 'Milestone', ...milestone });
    await publishActivity(api, projectId, jane.id, 'relabeled', { type: 'Issue', ...issue });
    await publishNote(api, projectId, jane.id, { type: 'Issue', id: issue.id });
  });
  afterAll(() => api.close());

  const list = async (path: string, client = jane.client): Promise<EventRecord[]> => {
    const answer = await client.get<EventRecord[]>(path);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body;
  };
  const named = (events: readonly EventRecord[]): string[] =>
    events.map(({ action_name: action, target_type: type }) => `${action} ${type ?? '-'}`);

  it('lists the events of a project, newest first, with the action names of v4', async () => {
    const events = await list(`/projects/${projectId}/events`);
    expect(named(events)).toEqual([
      'commented on Note',
      'destroyed Milestone',
      'opened Milestone',
      'accepted MergeRequest',
      'approved MergeRequest',
      'opened MergeRequest',
      'opened Issue',
      'closed Issue',
      'opened Issue',
      'joined -',
      'created -',
    ]);
    expect(events[8]).toMatchObject({
      title: null,
      data: null,
      project_id: projectId,
      target_id: issue.id,
      target_iid: issue.iid,
      target_title: issue.title,
      author_id: jane.id,
      author_username: jane.username,
      author: { id: jane.id, username: jane.username },
    });
    expect(events[9]).toMatchObject({ target_id: null, target_iid: null, target_title: null });
    expect(events[8]?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('shows the note of a comment with the title of its noteable', async () => {
    const [event] = await list(`/projects/${projectId}/events?target_type=note`);
    expect(event).toMatchObject({
      target_title: issue.title,
      target_id: event?.note?.id,
      target_iid: event?.note?.id,
      note: { body: 'Said', noteable_type: 'Issue', noteable_id: issue.id, noteable_iid: issue.iid },
    });
  });

  it.each([
    ['action=closed', ['closed Issue']],
    ['action=reopened', ['opened Issue']],
    ['action=created&target_type=issue', ['opened Issue']],
    ['target_type=issue', ['opened Issue', 'closed Issue', 'opened Issue']],
    ['action=approved&target_type=issue', []],
    ['target_type=project', ['created -']],
    ['target_type=user', []],
    ['action=joined', ['joined -']],
    ['action=closed&sort=asc', ['closed Issue']],
    ['target_type=milestone&sort=asc', ['opened Milestone', 'destroyed Milestone']],
    ['target_type=milestone&sort=asc&order_by=id', ['opened Milestone', 'destroyed Milestone']],
  ])('%s on all lists', async (query, expected) => {
    expect(named(await list(`/projects/${projectId}/events?${query}`))).toEqual(expected);
    const own = expected.filter((name) => name !== 'created -');
    expect(named(await list(`/events?${query}`))).toEqual(own);
    expect(named(await list(`/users/${jane.username}/events?${query}`))).toEqual(own);
    expect(named(await list(`/users/${jane.id}/events?${query}`, api.root))).toEqual(own);
    expect(named(await list(`/events?scope=all&${query}`))).toEqual(expected);
  });

  it('filters by days and times, and excludes the given days', async () => {
    const { id } = await buildProject(api.root);
    for (const at of ['2016-12-01T23:59:59.999Z', '2016-12-02T00:00:00Z', '2016-12-30T23:59:59.999Z'])
      await publishActivity(api, id, 1, 'joined', null, { at: new Date(at) });
    const times = async (query: string): Promise<string[]> =>
      (await list(`/projects/${id}/events?action=joined&sort=asc&${query}`, api.root)).map(
        ({ created_at: at }) => at,
      );
    expect(await times('after=2016-12-1&before=2016-12-31')).toEqual([
      '2016-12-02T00:00:00.000Z',
      '2016-12-30T23:59:59.999Z',
    ]);
    expect(await times('before=2016/12/2')).toEqual(['2016-12-01T23:59:59.999Z']);
    expect(await times('after=2016-12-30')).toEqual([]);
    expect(await times('after=2016-12-02T00:00:00Z')).toEqual(['2016-12-30T23:59:59.999Z']);
    expect(await times('before=2016-12-02T00:00:00.000Z')).toEqual(['2016-12-01T23:59:59.999Z']);
    expect(await times('before=2016-12-02T02:00:00.001%2B02:00&after=')).toHaveLength(2);
    expect(await times('after=1969-07-20')).toHaveLength(3);
    expect(await times('after=1969-07-20T20:17:40Z')).toHaveLength(3);
  });

  it('refuses unknown filters, and invalid days', async () => {
    const lists = ['/events', `/users/${jane.id}/events`, `/projects/${projectId}/events`];
    const refused = async (name: string, value: string, text: string): Promise<void> => {
      for (const list of lists)
        expect(await jane.client.get(`${list}?${name}=${value}`)).toMatchObject({
          status: 400,
          body: { message: { [name]: [text] } },
        });
    };
    for (const [name, value] of Object.entries({ action: 'commented on', target_type: 'epic', sort: 'up' }))
      await refused(name, value, 'does not have a valid value');
    for (const day of ['2016-02-30', 'soon', '2016-13-1', '0000-01-01', '2016-12-01T25:00:00Z', '2016-1-'])
      await refused('after', day, 'is invalid');
    expect((await jane.client.get('/events?before[]=2016-12-01')).status).toBe(400);
  });

  it('walks each list by keyset, by id and by time', async () => {
    for (const path of [
      `/projects/${projectId}/events`,
      '/events',
      `/users/${jane.id}/events`,
      '/events?scope=all',
    ])
      for (const order of ['id', 'created_at'])
        for (const sort of ['asc', 'desc']) {
          const all = await list(`${path}${path.includes('?') ? '&' : '?'}order_by=${order}&sort=${sort}`);
          const ids: number[] = [];
          const start = `${path}${path.includes('?') ? '&' : '?'}pagination=keyset&order_by=${order}&sort=${sort}&per_page=3`;
          for (let next: string | null = start; next !== null;) {
            const answer: Awaited<ReturnType<typeof jane.client.get<EventRecord[]>>> =
              await jane.client.get<EventRecord[]>(next);
            expect(answer.status).toBe(200);
            ids.push(...answer.body.map(({ id }) => id));
            const found = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '');
            next = found?.[1] ?? null;
          }
          expect(ids).toEqual(all.map(({ id }) => id));
        }
    const refused = await jane.client.get('/events?pagination=keyset&order_by=author_id&sort=asc');
    expect(refused.status).toBe(400);
    const cursor = Buffer.from('{"o":"created_at","s":"asc","v":[-9007199254740991,1]}').toString(
      'base64url',
    );
    const far = `/events?pagination=keyset&order_by=created_at&sort=asc&cursor=${cursor}`;
    expect((await list(far)).length).toBeGreaterThan(0);
  });

  it('orders by time, then by id, and only by id on request', async () => {
    const { id } = await buildProject(api.root);
    await publishActivity(api, id, 1, 'left', null, { at: new Date('2020-01-01T00:00:00Z') });
    const path = `/projects/${id}/events`;
    expect(named(await list(path, api.root))).toEqual(['created -', 'left -']);
    expect(named(await list(`${path}?order_by=id`, api.root))).toEqual(['left -', 'created -']);
  });

  it('shows totals and pages by offset', async () => {
    const answer = await jane.client.get<EventRecord[]>('/events?per_page=4&page=2');
    expect(answer.body).toHaveLength(4);
    expect([answer.headers.get('x-total'), answer.headers.get('x-total-pages')]).toEqual(['10', '3']);
    const open = await buildProject(api.root, { visibility: 'public' });
    const seen = await fetch(`${api.url}/api/v4/projects/${open.id}/events`, { method: 'HEAD' });
    expect([seen.status, seen.headers.get('x-total')]).toEqual([200, '1']);
  });

  it('needs the same number of statements for one event and for all', async () => {
    const statements = async (path: string): Promise<number> =>
      (await readsDuring(api, () => list(path))).length;
    for (const path of [`/projects/${projectId}/events`, '/events', `/users/${jane.id}/events`]) {
      const costs = [await statements(`${path}?per_page=100`), await statements(`${path}?per_page=1`)];
      expect([path, ...costs]).toEqual([path, 2, path.startsWith('/projects') ? 2 : 3]);
    }
  });

  it('requires credentials and scopes', async () => {
    expect((await api.anonymous.get('/events')).status).toBe(401);
    const reader = await clientOf(api, jane.id, ['read_user']);
    const other = await clientOf(api, jane.id, ['read_repository']);
    for (const path of ['/events', `/users/${jane.id}/events`, `/projects/${projectId}/events`]) {
      expect(await list(path, reader)).not.toEqual([]);
      expect((await other.get(path)).status).toBe(403);
    }
    for (const name of ['nobody', '987654321', 'no%00body', '%25'])
      expect((await api.anonymous.get(`/users/${name}/events`)).status).not.toBe(200);
    const missing = await api.anonymous.get('/users/nobody/events');
    expect([missing.status, missing.body]).toEqual([404, { message: '404 User Not Found' }]);
    const hidden = await api.anonymous.get(`/projects/${projectId}/events`);
    expect([hidden.status, hidden.body]).toEqual([404, { message: '404 Project Not Found' }]);
  });

  it('records who joins, leaves and is removed by expiry', async () => {
    const { id } = await buildProject(api.root);
    const [one, other] = [await createUser(api), await createUser(api)];
    await buildMember(api, `projects/${id}`, one.id, 30);
    await buildMember(api, `projects/${id}`, other.id, 30, '2999-01-01');
    expect((await one.client.delete(`/projects/${id}/members/${one.id}`)).status).toBe(204);
    await api.sql('update members set expires_at = current_date where user_id = $1', [other.id]);
    await api.app.get(PruneMembersProcessor, { strict: false }).process({}, CONTEXT);
    const events = await list(`/projects/${id}/events?sort=asc`, api.root);
    expect(events.map(({ action_name: action, author_id: author }) => [action, author])).toEqual([
      ['created', 1],
      ['joined', one.id],
      ['joined', other.id],
      ['left', one.id],
      ['removed due to membership expiration from', other.id],
    ]);
  });

  it('updates the activity time of the project at most once an hour', async () => {
    const { id } = await buildProject(api.root);
    const active = async (): Promise<string> =>
      (await api.root.get<{ last_activity_at: string }>(`/projects/${id}`)).body.last_activity_at;
    const before = await active();
    await publishActivity(api, id, 1, 'joined', null);
    expect(await active()).toBe(before);
    await api.sql(`update projects set last_activity_at = now() - interval '2 hours' where id = $1`, [id]);
    await publishActivity(api, id, 1, 'joined', null, { at: new Date('2020-01-01T00:00:00Z') });
    expect(Date.parse(await active())).toBeLessThan(Date.now() - 3_600_000);
    await publishActivity(api, id, 1, 'joined', null);
    expect(Date.parse(await active())).toBeGreaterThan(Date.now() - 60_000);
  });

  it('keeps events for three years and one day', async () => {
    const { id } = await buildProject(api.root);
    await api.sql(
      `insert into events (project_id, author_id, kind, created_at)
       select $1, 1, 8, now() - interval '3 years 1 day' - n * interval '1 second' from generate_series(1, $2::int) n`,
      [id, PRUNED_AT_ONCE + 5],
    );
    await api.sql(
      `insert into events (project_id, author_id, kind, created_at) values ($1, 1, 8, now() - interval '3 years')`,
      [id],
    );
    await api.app.get(PruneEventsProcessor, { strict: false }).process({}, CONTEXT);
    expect(await list(`/projects/${id}/events?action=joined`, api.root)).toHaveLength(1);
    expect(await api.sql(`select 1 from events where created_at < now() - interval '3 years 1 day'`)).toEqual(
      [],
    );
  });
});
