import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { borrowApi } from '../../../support/shared-api.js';

const CALLBACK = 'https://client.example.com/callback';
const VALUES = { name: 'Robot', redirect_uri: CALLBACK, scopes: 'api read_user' };
const MISSING = { message: '404 Application Not Found' };

interface BuiltApplication {
  readonly id: number;
  readonly application_id: string;
  readonly application_name: string;
  readonly callback_url: string;
  readonly confidential: boolean;
  readonly scopes: string[];
  readonly trusted: boolean;
  readonly refresh_grace_period_seconds: number;
  readonly secret: string;
}

let api: TestApi;
let user: AddedUser;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'somebody');
});
afterAll(() => api.close());

const create = (values: object = {}): Promise<Answer<BuiltApplication>> =>
  api.root.post<BuiltApplication>('/applications', { ...VALUES, ...values });
const build = async (values: object = {}): Promise<BuiltApplication> => {
  const answer = await create(values);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
};
const refusal = async (values: object): Promise<unknown> => {
  const answer = await create(values);
  return [answer.status, answer.body];
};
const audited = async (id: number): Promise<string[]> => {
  const rows = await api.sql<{ message: string }>(
    `select details->>'custom_message' as message from audit_events
     where details->>'target_type' like '%Application' and details->>'target_id' = $1 order by id`,
    [String(id)],
  );
  return rows.map(({ message }) => message);
};

describe('POST /applications', () => {
  it('creates an instance-wide application whose secret is shown once and stored as a digest', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      application_id: expect.stringMatching(/^[\w-]{40,}$/),
      application_name: 'Robot',
      secret: expect.stringMatching(/^[\w-]{40,}$/),
      callback_url: CALLBACK,
      confidential: true,
      scopes: ['api', 'read_user'],
      trusted: false,
      refresh_grace_period_seconds: 0,
    });
    const stored = await api.sql<{ found: boolean; owned: boolean }>(
      `select bool_or(a::text like '%' || $1 || '%') as found, bool_or(owner_id is not null) as owned from oauth_applications a`,
      [answer.body.secret],
    );
    expect(stored).toEqual([{ found: false, owned: false }]);
    const shown = await api.root.get(`/applications/${answer.body.id}`);
    expect(shown.body).not.toHaveProperty('secret');
    expect(shown.body['application_id']).toBe(answer.body.application_id);
  });

  it('accepts every field', async () => {
    const made = await build({
      redirect_uri: `${CALLBACK}\nhttp://127.0.0.1/done\r\ncustom-scheme://test`,
      confidential: false,
      trusted: true,
      refresh_grace_period_seconds: 30,
    });
    expect(made).toMatchObject({
      callback_url: `${CALLBACK}\nhttp://127.0.0.1/done\ncustom-scheme://test`,
      confidential: false,
      trusted: true,
      refresh_grace_period_seconds: 30,
    });
    expect(await build({ confidential: null })).toMatchObject({ confidential: false });
  });

  it('names the first missing attribute', async () => {
    const missing = (name: string): unknown => [400, { message: `400 (Bad request) "${name}" not given` }];
    expect(await refusal({ name: undefined, scopes: undefined })).toEqual(missing('name'));
    expect(await refusal({ redirect_uri: undefined })).toEqual(missing('redirect_uri'));
    expect(await refusal({ scopes: undefined })).toEqual(missing('scopes'));
  });

  it.each([
    [{ name: ' ' }, { name: ['is empty'] }],
    [{ name: ['x'] }, { name: ['is invalid'] }],
    [{ scopes: '' }, { scopes: ['is empty'] }],
    [{ scopes: ['api'] }, { scopes: ['is invalid'] }],
    [{ scopes: 'api invented' }, { scopes: ["doesn't match configured on the server."] }],
    [{ redirect_uri: '' }, { redirect_uri: ['is empty'] }],
    [{ redirect_uri: { a: 1 } }, { redirect_uri: ['is invalid'] }],
    [{ redirect_uri: 'http://' }, { redirect_uri: ['must be a valid URI.'] }],
    [{ redirect_uri: '/callback' }, { redirect_uri: ['must be an absolute URI.'] }],
    [{ redirect_uri: `${CALLBACK}#part` }, { redirect_uri: ['cannot contain a fragment.'] }],
    [{ redirect_uri: 'javascript:alert(1)' }, { redirect_uri: ['is forbidden by the server.'] }],
    [{ redirect_uri: 'JavaScript:alert(1)' }, { redirect_uri: ['is forbidden by the server.'] }],
    [{ redirect_uri: 'data:text/html,x' }, { redirect_uri: ['is forbidden by the server.'] }],
    [{ redirect_uri: `${CALLBACK} vbscript:x` }, { redirect_uri: ['is forbidden by the server.'] }],
    [{ confidential: 'perhaps' }, { confidential: ['is invalid'] }],
    [{ trusted: {} }, { trusted: ['is invalid'] }],
    [{ refresh_grace_period_seconds: -1 }, { refresh_grace_period_seconds: ['does not have a valid value'] }],
    [
      { refresh_grace_period_seconds: 1e9 },
      { refresh_grace_period_seconds: ['does not have a valid value'] },
    ],
  ])('refuses %j', async (values, message) => {
    expect(await refusal(values)).toEqual([400, { message }]);
  });

  it('refuses very long texts', async () => {
    const tooLong = (length: number): string[] => [`is too long (maximum is ${length} characters)`];
    const values = { name: 'x'.repeat(300), redirect_uri: 'x'.repeat(20_000), scopes: 'api '.repeat(5_000) };
    expect(await refusal(values)).toEqual([
      400,
      { message: { name: tooLong(255), redirect_uri: tooLong(10_000), scopes: tooLong(10_000) } },
    ]);
  });

  it('reports all problems at once', async () => {
    expect(await refusal({ name: '', scopes: 'nope', redirect_uri: 'javascript:x' })).toEqual([
      400,
      {
        message: {
          name: ['is empty'],
          redirect_uri: ['is forbidden by the server.'],
          scopes: ["doesn't match configured on the server."],
        },
      },
    ]);
  });
});

describe('GET /applications', () => {
  it('lists pages of instance-wide applications, without secrets', async () => {
    const mine = await build({ name: 'Owned' });
    await api.sql('update oauth_applications set owner_id = $2 where id = $1', [mine.id, user.id]);
    const last = await build({ name: 'Last' });
    const all = await api.root.get<BuiltApplication[]>('/applications?per_page=100');
    expect(all.body.map(({ application_name: name }) => name)).not.toContain('Owned');
    expect(all.body.at(-1)).toMatchObject({ id: last.id, application_name: 'Last' });
    expect(all.text).not.toContain('"secret"');
    const page = await api.root.get<BuiltApplication[]>('/applications?per_page=1&page=2');
    expect(page.body).toEqual(all.body.slice(1, 2));
    expect(page.headers.get('x-total')).toBe(String(all.body.length));
    const keyset = '/applications?pagination=keyset&order_by=id&sort=asc&per_page=1';
    expect((await api.root.get<BuiltApplication[]>(keyset)).body).toEqual(all.body.slice(0, 1));
    for (const [method, path] of [
      ['GET', `/applications/${mine.id}`],
      ['PUT', `/applications/${mine.id}`],
      ['DELETE', `/applications/${mine.id}`],
      ['POST', `/applications/${mine.id}/renew-secret`],
    ] as const) {
      const answer = await api.root.send(method, path, method === 'PUT' ? { name: 'x' } : undefined);
      expect([method, answer.status, answer.body]).toEqual([method, 404, MISSING]);
    }
  });
});

describe('PUT /applications/:id', () => {
  it('changes only the given attributes', async () => {
    const { secret, ...made } = await build();
    const path = `/applications/${made.id}`;
    const answer = await api.root.put(path, { trusted: true, refresh_grace_period_seconds: 5 });
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...made, trusted: true, refresh_grace_period_seconds: 5 },
    ]);
    const renamed = await api.root.put(path, {
      name: 'Renamed',
      redirect_uri: 'https://a.example',
      scopes: 'openid',
    });
    expect(renamed.body).toMatchObject({
      application_name: 'Renamed',
      callback_url: 'https://a.example',
      scopes: ['openid'],
      trusted: true,
    });
    expect(renamed.text).not.toContain(secret);
  });

  it('refuses what creation refuses, and empty changes', async () => {
    const path = `/applications/${(await build()).id}`;
    const refused = async (values: object): Promise<unknown> => (await api.root.put(path, values)).body;
    expect(await refused({})).toEqual({ message: { base: ['at least one parameter must be provided'] } });
    expect(await refused({ scopes: '' })).toEqual({ message: { scopes: ['is empty'] } });
    expect(await refused({ name: '' })).toEqual({ message: { name: ['is empty'] } });
    expect(await refused({ redirect_uri: 'javascript:x' })).toEqual({
      message: { redirect_uri: ['is forbidden by the server.'] },
    });
    expect((await api.root.put('/applications/999999', { name: 'x' })).body).toEqual(MISSING);
  });
});

describe('POST /applications/:id/renew-secret', () => {
  it('shows a new secret once, and invalidates the former one', async () => {
    const made = await build();
    const renewed = await api.root.post<BuiltApplication>(`/applications/${made.id}/renew-secret`);
    expect(renewed.status).toBe(201);
    expect(renewed.body).toEqual({ ...made, secret: expect.any(String) });
    expect(renewed.body.secret).not.toBe(made.secret);
    const digests = await api.sql<{ matches: boolean }>(
      `select secret_digest = sha256(convert_to($2, 'UTF8')) as matches from oauth_applications where id = $1`,
      [made.id, renewed.body.secret],
    );
    expect(digests).toEqual([{ matches: true }]);
    expect((await api.root.post('/applications/999999/renew-secret')).body).toEqual(MISSING);
  });
});

describe('DELETE /applications/:id', () => {
  it('removes the application, once', async () => {
    const { id } = await build();
    const before = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };
    expect((await api.root.delete(`/applications/${id}`, before)).status).toBe(412);
    expect((await api.root.delete(`/applications/${id}`)).status).toBe(204);
    const again = await api.root.delete(`/applications/${id}`);
    expect([again.status, again.body]).toEqual([404, MISSING]);
  });
});

describe('every call', () => {
  it('is for administrators', async () => {
    const { id } = await build();
    for (const [method, path, body] of [
      ['GET', '/applications'],
      ['POST', '/applications', VALUES],
      ['GET', `/applications/${id}`],
      ['PUT', `/applications/${id}`, { name: 'x' }],
      ['DELETE', `/applications/${id}`],
      ['POST', `/applications/${id}/renew-secret`],
    ] as const) {
      const refused = await api.as(user.token).send(method, path, body);
      expect([method, path, refused.status, refused.body]).toEqual([
        method,
        path,
        403,
        { message: '403 Forbidden' },
      ]);
      expect((await api.anonymous.send(method, path, body)).status).toBe(401);
    }
    const reader = await addUser(api, 'reader');
    await api.sql('update users set admin = true where id = $1', [reader.id]);
    await api.sql(`update personal_access_tokens set scopes = '{read_api}' where user_id = $1`, [reader.id]);
    expect((await api.as(reader.token).get('/applications')).status).toBe(200);
    expect((await api.as(reader.token).post('/applications', VALUES)).status).toBe(403);
  });

  it('is recorded in the audit log if it changes something', async () => {
    const { id } = await build();
    await api.root.put(`/applications/${id}`, { name: 'Other' });
    await api.root.post(`/applications/${id}/renew-secret`);
    await api.root.delete(`/applications/${id}`);
    expect(await audited(id)).toHaveLength(4);
  });
});
