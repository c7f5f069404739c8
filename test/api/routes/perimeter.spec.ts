import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_TOKEN, startApi, type TestApi } from '../../support/api.js';
import type { Answer } from '../../support/client.js';
import { sendRaw } from '../../support/raw-http.js';
import { readsDuring } from '../../support/watched-reads.js';

const DEPLOYMENTS = '/projects/300/deployments';

async function arrange(api: TestApi): Promise<void> {
  await api.sql(`
    insert into projects (id, namespace_id, name, path, full_path, full_name) values
      (300, 1, 'here', 'here', 'root/here', 'here'), (301, 1, 'other', 'other', 'root/other', 'other');
    insert into routes (path, source_type, source_id, redirect) values
      ('root/here', 'Project', 300, false), ('root/former', 'Project', 300, true), ('root/other', 'Project', 301, false);
    insert into environments (id, project_id, name, slug, tier) values
      (500, 300, 'e', 'e', 'other'), (501, 301, 'e', 'e', 'other');
    insert into internal_ids (project_id, usage, last_value, live_count) values (300, 'deployments', 10050, 10050);
    insert into deployments (project_id, environment_id, iid, user_id, ref, sha, tag, status)
      select 300, 500, n, 1, 'main', repeat('a', 40), false, 'success' from generate_series(1, 10050) n;
    insert into deployments (id, project_id, environment_id, iid, user_id, ref, sha, tag, status)
      values (90000, 301, 501, 1, 1, 'main', repeat('a', 40), false, 'success')`);
}

describe('the perimeter', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
    await arrange(api);
  });
  afterAll(() => api.close());

  describe('of a long list', () => {
    it('omits the totals above 10,000 rows', async () => {
      const { status, headers } = await api.root.get(`${DEPLOYMENTS}?per_page=100`);
      expect([status, headers.get('x-total'), headers.get('x-total-pages')]).toEqual([200, null, null]);
      expect([headers.get('x-next-page'), headers.get('link')?.includes('rel="last"')]).toEqual(['2', false]);
    });

    it('walks by keyset over every row once', async () => {
      let path: string | null = `${DEPLOYMENTS}?pagination=keyset&order_by=id&sort=desc&per_page=100`;
      const seen = new Set<number>();
      let pages = 0;
      while (path !== null) {
        const answer: Answer<{ id: number }[]> = await api.root.get<{ id: number }[]>(path);
        expect(answer.status).toBe(200);
        for (const { id } of answer.body) seen.add(id);
        pages += 1;
        const next: string | undefined = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
        path = next === undefined ? null : next.replace('http://forgeplane.test', '');
      }
      expect([seen.size, pages]).toEqual([10_050, 101]);
    });

    it('needs the same number of statements for 1 row and for 100', async () => {
      const count = async (path: string): Promise<number> => {
        const reads = await readsDuring(api, async () => expect((await api.root.get(path)).status).toBe(200));
        return reads.length;
      };
      const [one, hundred] = [
        await count(`${DEPLOYMENTS}?per_page=1`),
        await count(`${DEPLOYMENTS}?per_page=100`),
      ];
      expect(one).toBe(hundred);
      expect(hundred).toBeLessThanOrEqual(3);
      expect(await count('/projects/301/deployments')).toBeLessThanOrEqual(2);
    });

    it('answers absurd page numbers quickly', async () => {
      for (const [query, statuses] of [
        ['per_page=100000', [200]],
        ['page=1000000000000', [405]],
        ['page=-1', [200]],
        ['per_page[]=1', [400]],
        ['sort[]=x', [400]],
        ['order_by=id;select+pg_sleep(9)', [400]],
      ] as const) {
        const started = performance.now();
        const { status } = await api.root.get(`${DEPLOYMENTS}?${query}`);
        expect([query, (statuses as readonly number[]).includes(status)]).toEqual([query, true]);
        expect([query, performance.now() - started < 2_000]).toEqual([query, true]);
      }
    });
  });

  it('does not distinguish an object of another project from a missing one', async () => {
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { status: 'failed' }],
      ['DELETE', undefined],
    ] as const) {
      const foreign = await api.root.send(method, `${DEPLOYMENTS}/90000`, body);
      const absent = await api.root.send(method, `${DEPLOYMENTS}/99999`, body);
      expect([method, foreign.status, foreign.text]).toEqual([
        method,
        404,
        '{"message":"404 Deployment Not Found"}',
      ]);
      expect([absent.status, absent.text]).toEqual([foreign.status, foreign.text]);
    }
    expect((await api.root.get('/projects/301/deployments/90000')).status).toBe(200);
  });

  describe('of a moved project', () => {
    const former = '/projects/root%2Fformer/deployments?per_page=1&status=success';
    const flag = (value: string): Promise<unknown> =>
      api.root.post('/features/api_redirect_moved_projects', { value });

    it('serves it under its old path while the flag is off', async () => {
      expect((await api.root.get(former)).status).toBe(200);
    });

    it('redirects to its id while the flag is on, on our own host whatever the request contains', async () => {
      await flag('true');
      const raw = await sendRaw(
        api.url,
        `GET /api/v4${former} HTTP/1.1\r\nHost: evil.test\r\nX-Forwarded-Host: evil.test\r\nPRIVATE-TOKEN: ${ROOT_TOKEN}\r\nConnection: close\r\n\r\n`,
      );
      const target = 'http://forgeplane.test/api/v4/projects/300/deployments?per_page=1&status=success';
      expect([raw.status, /^location: (.*)$/im.exec(raw.head)?.[1]?.trim()]).toEqual([301, target]);
      const write = await api.root.post('/projects/root%2Fformer/deployments', {
        environment: 'e',
        sha: 'a'.repeat(40),
        ref: 'main',
        tag: false,
        status: 'running',
      });
      expect([write.status, write.body]).toEqual([
        405,
        { message: 'Non GET methods are not allowed for moved projects' },
      ]);
      // A caller who may not see it does not learn its path.
      await api.sql(
        `insert into users (id, username, name, email, confirmed_at) values (50, 'out', 'Out', 'out@x.test', now())`,
      );
      const token = await api.root.post<{ token: string }>('/users/50/personal_access_tokens', {
        name: 't',
        scopes: ['api'],
      });
      const hidden = await api.as(token.body.token).get(former);
      expect([hidden.status, hidden.body]).toEqual([404, { message: '404 Project Not Found' }]);
      await flag('false');
    });
  });

  it('labels metrics by route templates only', async () => {
    await api.root.get('/projects/here-is-a-name%2Fx/deployments');
    await api.root.get('/nowhere/secret-path');
    const { text } = await api.anonymous.get('/-/metrics');
    expect(text).toContain('/api/v4/projects/:id/deployments');
    expect(text).not.toMatch(/here-is-a-name|secret-path/);
  });

  it('refuses invalid tokens, however they are sent', async () => {
    for (const token of ['', ' ', 'a b', 'Bearer x', 'x'.repeat(5_000), '%00'])
      for (const headers of [{ 'PRIVATE-TOKEN': token }, { Authorization: `Bearer ${token}` }]) {
        const answer = await api.anonymous.get('/version', headers);
        expect([headers, answer.status, answer.body]).toEqual([
          headers,
          401,
          { message: '401 Unauthorized' },
        ]);
      }
    const both = await api.anonymous.get(`/version?access_token=${ROOT_TOKEN}`, {
      Authorization: `Bearer ${ROOT_TOKEN}`,
    });
    expect([both.status, both.body['error']]).toEqual([400, 'invalid_request']);
    for (const query of ['private_token[]=x', 'access_token[a]=x'])
      expect((await api.anonymous.get(`/version?${query}`)).status).toBe(401);
  });

  it('acts only as the user that sudo names', async () => {
    await api.sql(
      `insert into users (id, username, name, email, confirmed_at) values (51, 'bob', 'Bob', 'bob@x.test', now())`,
    );
    for (const path of [
      '/user?sudo=bob',
      '/user?sudo=51',
      '/user?sudo=BOB',
      '/user?%73udo=bob',
      '/user?s%75d%6F=51',
    ])
      expect((await api.root.get(path)).body['username']).toBe('bob');
    expect((await api.root.send('POST', '/features/x', { value: 'true', sudo: 51 })).status).toBe(403);
    for (const query of ['%70rivate_token=wrong', '%61ccess_token=wrong'])
      expect((await api.anonymous.get(`/version?${query}`)).status).toBe(401);
    expect((await api.anonymous.get(`/version?%70rivate_token=${ROOT_TOKEN}`)).status).toBe(200);
    expect((await api.root.get('/user?%66ormat=%78ml')).status).toBe(406);
    const list = await api.root.get('/user?sudo[]=bob');
    expect([list.status, list.body]).toEqual([400, { message: { sudo: ['is invalid'] } }]);
  });
});

// Passport keeps its strategies by process: a second application must not start before the first has ended.
describe('probes and metrics', () => {
  it('are only for the addresses of METRICS_ALLOWLIST, whatever the headers say', async () => {
    const closed = await startApi({ METRICS_ALLOWLIST: '192.0.2.1' });
    try {
      for (const path of ['/-/metrics', '/-/readiness', '/-/readiness?all=1']) {
        for (const headers of [
          {},
          { 'X-Forwarded-For': '192.0.2.1' },
          { 'X-Real-IP': '192.0.2.1' },
          { Forwarded: 'for=192.0.2.1' },
        ]) {
          const answer = await closed.root.get(path, headers);
          expect([path, answer.status, answer.body]).toEqual([path, 404, { error: '404 Not Found' }]);
        }
      }
      for (const path of ['/-/health', '/-/liveness'])
        expect((await closed.anonymous.get(path)).status).toBe(200);
    } finally {
      await closed.close();
    }
  });
});
