import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { AuditLogService, type AuditEntityType } from '#core/audit/audit-log.service.js';
import { PruneAuditEventsJob } from '#core/audit/prune-audit-events.job.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import {
  addGroup,
  addMember,
  addProject,
  addUser,
  type AddedUser,
} from '../../../support/builders/instance.js';

type Event = Record<string, unknown> & { id: number; author_id: number };

describe('audit events', () => {
  let api: TestApi;
  let groupId: number;
  let projectId: number;
  const users = new Map<string, AddedUser>();
  const user = (name: string): AddedUser => users.get(name) as AddedUser;
  const get = (name: string, path: string): Promise<Answer<Event[]>> =>
    api.as(user(name).token).get<Event[]>(path);

  const record = (type: AuditEntityType, id: number, authorId: number, what: string): Promise<void> =>
    api.app
      .get(Transactions)
      .run((tx) =>
        api.app
          .get(AuditLogService)
          .record(
            tx,
            { id: authorId, name: 'Somebody' },
            { type, id, path: 'crew' },
            { type, id, details: 'crew' },
            { customMessage: what },
          ),
      );

  beforeAll(async () => {
    api = await startApi();
    groupId = await addGroup(api, 'crew');
    projectId = await addProject(api, groupId, 'crew/ship');
    const roles = { owner: 50, maintainer: 40, developer: 30, reporter: 20 };
    for (const [name, role] of Object.entries(roles)) {
      users.set(name, await addUser(api, name));
      await addMember(api, 'Namespace', groupId, user(name).id, role);
    }
    users.set('stranger', await addUser(api, 'stranger'));
    for (const name of ['owner', 'maintainer', 'developer']) {
      await record('Group', groupId, user(name).id, `group by ${name}`);
      await record('Project', projectId, user(name).id, `project by ${name}`);
    }
    await record('Group', groupId + 1000, user('developer').id, 'another group');
    await record('User', user('owner').id, -1, 'failed to sign in');
  });
  afterAll(() => api.close());

  it('have the documented attributes, newest first', async () => {
    const { status, body } = await api.root.get<Event[]>('/audit_events');
    expect(status).toBe(200);
    expect(body.map(({ id }) => id)).toEqual(body.map(({ id }) => id).sort((left, right) => right - left));
    expect(body.at(-1)).toEqual({
      id: expect.any(Number),
      author_id: user('owner').id,
      entity_id: groupId,
      entity_type: 'Group',
      details: {
        custom_message: 'group by owner',
        author_name: 'Somebody',
        author_email: 'owner@example.com',
        author_class: 'User',
        target_id: groupId,
        target_type: 'Group',
        target_details: 'crew',
        ip_address: null,
        entity_path: 'crew',
      },
      created_at: expect.stringMatching(/Z$/),
    });
    const one = await api.root.get(`/audit_events/${body[0]?.id ?? 0}`);
    expect(one.body).toEqual(body[0]);
    expect((await api.root.get('/audit_events/999999')).body).toEqual({
      message: '404 Audit Event Not Found',
    });
    expect((await api.root.get('/audit_events/first')).status).toBe(400);
  });

  it('of the instance are visible to administrators only', async () => {
    for (const path of ['/audit_events', '/audit_events/1']) {
      expect((await api.anonymous.get(path)).status).toBe(401);
      expect((await get('owner', path)).status).toBe(403);
    }
  });

  it('contain the address of the request that made the change', async () => {
    await api.root.put('/application/settings', { search_rate_limit: 31 });
    const { body } = await api.root.get<Event[]>(
      '/audit_events?entity_type=Gitlab::Audit::InstanceScope&entity_id=1',
    );
    expect(body[0]).toMatchObject({
      author_id: 1,
      details: {
        change: 'search_rate_limit',
        from: '30',
        to: '31',
        ip_address: '127.0.0.1',
        entity_path: 'instance',
        author_email: 'admin@example.com',
      },
    });
  });

  it('tell former and present values as text, which typed clients read', async () => {
    const values = { signup_enabled: false, restricted_visibility_levels: ['public'] };
    await api.root.put('/application/settings', { ...values, max_personal_access_token_lifetime: 9 });
    await api.root.put('/application/settings', { signup_enabled: true, restricted_visibility_levels: [] });
    const { body } = await api.root.get<{ details: Record<string, unknown> }[]>(
      '/audit_events?entity_type=Gitlab::Audit::InstanceScope',
    );
    const told = body.map(({ details: { change, from, to } }) => [change, from, to]);
    expect(told).toEqual(
      expect.arrayContaining([
        ['signup_enabled', 'true', 'false'],
        ['signup_enabled', 'false', 'true'],
        ['restricted_visibility_levels', '[]', '["public"]'],
        ['max_personal_access_token_lifetime', null, '9'],
      ]),
    );
  });

  it('are filtered by entity and time', async () => {
    const messages = async (query: string): Promise<unknown[]> =>
      (await api.root.get<{ details: { custom_message?: string } }[]>(`/audit_events?${query}`)).body.map(
        ({ details }) => details.custom_message,
      );
    expect(await messages('entity_type=User')).toEqual(['failed to sign in']);
    expect(await messages(`entity_type=Group&entity_id=${groupId + 1000}`)).toEqual(['another group']);
    expect(await messages('entity_type=Project&entity_id=-5')).toEqual([]);
    expect(await messages('entity_type=User&created_after=2099-01-01')).toEqual([]);
    expect(await messages('entity_type=User&created_before=2099-01-01T00:00:00Z')).toHaveLength(1);
    expect(await messages('created_before=2000-01-01')).toEqual([]);
    // Parameters are validated before permissions.
    for (const client of [api.root, api.as(user('owner').token)]) {
      expect((await client.get('/audit_events?entity_id=1')).body).toEqual({
        message: '400 (Bad request) "entity_type" not given',
      });
    }
    expect((await api.root.get('/audit_events?entity_type=Epic')).body).toEqual({
      message: { entity_type: ['does not have a valid value'] },
    });
    expect((await api.root.get('/audit_events?created_after=soon')).status).toBe(400);
  });

  describe.each([
    ['group', '/groups/crew/audit_events', 'owner', ['maintainer', 'developer']],
    ['project', '/projects/crew%2Fship/audit_events', 'maintainer', ['developer']],
  ] as const)('of a %s', (kind, path, reader, authors) => {
    const all = ['developer', 'maintainer', 'owner'].map((name) => `${kind} by ${name}`);
    const told = (answer: Answer<Event[]>): unknown[] =>
      answer.body.map(({ details }) => (details as Record<string, unknown>)['custom_message']);

    it('are all visible to its managers', async () => {
      for (const name of [reader, 'owner'] as const) expect(told(await get(name, path))).toEqual(all);
      expect(told(await api.root.get<Event[]>(path))).toEqual(all);
    });

    it('are visible to their authors below that role', async () => {
      for (const name of authors) expect(told(await get(name, path))).toEqual([`${kind} by ${name}`]);
    });

    it('are visible to no one else', async () => {
      expect((await get('reporter', path)).status).toBe(403);
      expect((await get('stranger', path)).status).toBe(404);
      expect((await api.anonymous.get(path)).status).toBe(401);
    });

    it('can be read individually', async () => {
      const [newest, , oldest] = (await api.root.get<Event[]>(path)).body;
      expect((await get(reader, `${path}/${oldest?.id ?? 0}`)).body).toEqual(oldest);
      expect((await get('developer', `${path}/${newest?.id ?? 0}`)).body).toEqual(newest);
      expect((await get('developer', `${path}/${oldest?.id ?? 0}`)).body).toEqual({
        message: '404 Audit Event Not Found',
      });
      const foreign = (await api.root.get<Event[]>('/audit_events?entity_type=User')).body[0];
      expect((await get(reader, `${path}/${foreign?.id ?? 0}`)).status).toBe(404);
    });

    it('are a premium feature', async () => {
      await api.root.put('/application/settings', { license_plan: 'free' });
      expect((await get(reader, path)).body).toEqual({ message: '403 Forbidden' });
      expect((await api.root.get(`${path}/1`)).status).toBe(403);
      expect((await api.root.get('/audit_events')).status).toBe(403);
      await api.root.put('/application/settings', { license_plan: 'premium' });
      expect((await get(reader, path)).status).toBe(200);
    });

    it('are filtered by time', async () => {
      expect((await get(reader, `${path}?created_after=2099-01-01`)).body).toEqual([]);
      expect((await get(reader, `${path}?created_before=2099-01-01`)).body).toHaveLength(3);
    });

    it('are paginated by offset and by keyset', async () => {
      const first = await get(reader, `${path}?per_page=2`);
      expect(first.headers.get('x-total')).toBe('3');
      expect(told(await get(reader, `${path}?per_page=2&page=2`))).toEqual([`${kind} by owner`]);
      const walked: unknown[] = [];
      let next: string | null = `${path}?pagination=keyset&order_by=id&sort=desc&per_page=2`;
      while (next !== null) {
        const page: Answer<Event[]> = await get(reader, next);
        walked.push(...told(page));
        expect(page.headers.get('x-total')).toBeNull();
        next =
          /<http:\/\/forgeplane.test\/api\/v4([^>]+)>; rel="next"/.exec(
            page.headers.get('link') ?? '',
          )?.[1] ?? null;
      }
      expect(walked).toEqual(all);
      const other = await get(reader, `${path}?pagination=keyset&order_by=created_at&sort=desc`);
      expect(other.status).toBe(405);
      expect(other.body).toEqual({
        error: 'Keyset pagination is not yet available for this type of request',
      });
    });
  });

  it('record what an administrator does as another user', async () => {
    const answer = await api.root.post('/license', { license: 'x' }, { Sudo: 'owner' });
    expect(answer.status).toBe(403);
    const { body } = await api.root.get<Event[]>(
      `/audit_events?entity_type=User&entity_id=${user('owner').id}`,
    );
    expect(body[0]).toMatchObject({
      author_id: 1,
      details: { custom_message: 'acted as owner: POST /api/v4/license' },
    });
  });

  describe('that are old', () => {
    const count = async (): Promise<number> =>
      (
        await api.sql<{ count: number }>(
          'select count(*) as count from audit_events where entity_id = 424242',
        )
      )[0]?.count ?? 0;
    const prune = async (): Promise<void> => {
      await api.app.get(Transactions).run((tx) => api.app.get(Jobs).enqueue(tx, PruneAuditEventsJob, {}));
      const open = async (): Promise<unknown[]> =>
        api.sql('select 1 from background_jobs where name = $1', [PruneAuditEventsJob.name]);
      while ((await open()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    };

    it('are kept forever, or removed after the number of days in the settings', async () => {
      await api.sql(
        `insert into audit_events (author_id, entity_type, entity_id, details, created_at)
         select 1, 'User', 424242, '{}', now() - day * interval '1 day' from generate_series(1, 2500) day`,
      );
      await prune();
      expect(await count()).toBe(2500);
      await api.root.put('/application/settings', { audit_event_retention_days: 30 });
      await prune();
      expect(await count()).toBe(29);
    });
  });
});
