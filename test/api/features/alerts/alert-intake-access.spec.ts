import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertSender } from '../../../support/alert-sender.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildAlertIntegration } from '../../../support/builders/alert-integration.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { sendRaw } from '../../../support/raw-http.js';

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('the right to send alerts', () => {
  let api: TestApi;
  let sender: AlertSender;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    sender = await AlertSender.open(api);
  });

  const statusWith = async (authorization: string | undefined, path = sender.path): Promise<number> =>
    (await sender.raw('{}', authorization === undefined ? {} : { Authorization: authorization }, path))
      .status;

  it('is granted by the key, as a bearer token or as the password of any user', async () => {
    const { token } = sender.integration;
    for (const header of [`Bearer ${token}`, `bearer ${token}`, basic('', token), basic('any', token)])
      expect([header, await statusWith(header)]).toEqual([header, 200]);
  });

  it('holds for every form of the URL', async () => {
    const { path } = sender;
    const bare = path.replace(/\.json$/, '');
    const key = `Bearer ${sender.integration.token}`;
    for (const url of [path, bare, `${bare}/`, path.replace('/tool/', '/any%20thing/'), path.toUpperCase()])
      expect([url, await statusWith(key, url)]).toEqual([url, url === path.toUpperCase() ? 404 : 200]);
    expect(
      await statusWith(
        key,
        path.replace(sender.project.path_with_namespace, sender.project.path_with_namespace.toUpperCase()),
      ),
    ).toBe(200);
  });

  it('holds for the URLs without an identifier', async () => {
    const { project } = sender;
    for (const [type, endpoint_identifier, base] of [
      ['http', 'legacy', `/${project.path_with_namespace}`],
      ['prometheus', 'legacy-prometheus', `/${project.path_with_namespace}/prometheus`],
    ]) {
      const made = await buildAlertIntegration(api.root, project.id, { type, endpoint_identifier });
      expect(new URL(made.url).pathname).toBe(`${base}/alerts/notify.json`);
      for (const end of ['/alerts/notify.json', '/alerts/notify', '/alerts/notify/'])
        expect([end, await statusWith(`Bearer ${made.token}`, `${base}${end}`)]).toEqual([end, 200]);
      expect(await statusWith(`Bearer ${sender.integration.token}`, `${base}/alerts/notify.json`)).toBe(401);
    }
  });

  it('holds for a project that is itself called prometheus', async () => {
    const group = await buildGroup(api);
    const inner = await buildGroup(api, { parent_id: group.id });
    const project = await buildProject(api.root, {
      name: 'prometheus',
      path: 'prometheus',
      namespace_id: inner.id,
    });
    const made = await buildAlertIntegration(api.root, project.id, { endpoint_identifier: 'legacy' });
    expect(await statusWith(`Bearer ${made.token}`, new URL(made.url).pathname)).toBe(200);
    expect(await statusWith(`Bearer nonsense`, new URL(made.url).pathname)).toBe(401);
  });

  it('is refused to every other key', async () => {
    const { token, id } = sender.integration;
    const sibling = await AlertSender.of(api, sender.project);
    const stranger = await AlertSender.open(api);
    const [row] = await api.sql<{ key_sealed: string; key_digest: Buffer }>(
      'select key_sealed, key_digest from alert_integrations where id = $1',
      [id],
    );
    const refused = [
      undefined,
      'Bearer',
      'Bearer x',
      `Bearer ${token}x`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${sibling.integration.token}`,
      `Bearer ${stranger.integration.token}`,
      `Bearer ${row?.key_sealed ?? ''}`,
      `Bearer ${row?.key_digest.toString('hex') ?? ''}`,
      `Bearer ${ROOT_TOKEN}`,
      basic('', ''),
      basic('root', 'correct horse battery'),
      basic(token, ''),
      `Basic ${token}`,
      token,
    ];
    for (const header of refused) expect([header, await statusWith(header)]).toEqual([header, 401]);
    expect(await statusWith(undefined, `${sender.path}?token=${token}&private_token=${ROOT_TOKEN}`)).toBe(
      401,
    );
    const answer = await sender.raw('{}', { 'PRIVATE-TOKEN': ROOT_TOKEN });
    expect([answer.status, answer.body]).toEqual([401, { message: '401 Unauthorized' }]);
    const unknown = sender.path.replace(/[0-9a-f]{16}/, '0123456789abcdef');
    expect(await statusWith(`Bearer ${token}`, unknown)).toBe(401);
    expect(await sender.rows()).toEqual([]);
  });

  it('is refused to a key that was reset, and to a key that is sent twice', async () => {
    const { token, id } = sender.integration;
    const { hostname, port } = new URL(api.url);
    const twice = `POST ${sender.path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
    expect((await sendRaw(api.url, twice)).status).toBe(401);
    const path = `/projects/${sender.project.id}/alert_management/integrations/${id}/reset_token`;
    const reset = await api.root.post<{ token: string }>(path);
    expect(await statusWith(`Bearer ${token}`)).toBe(401);
    expect(await statusWith(`Bearer ${reset.body.token}`)).toBe(200);
  });

  it('is refused to the correct key if the integration is disabled, replaced by a tool, or archived', async () => {
    const { token, id } = sender.integration;
    const integrations = `/projects/${sender.project.id}/alert_management/integrations`;
    await api.root.put(`${integrations}/${id}`, { active: false });
    const off = await sender.raw('{}');
    expect([off.status, off.body]).toEqual([403, { message: '403 Forbidden' }]);
    expect(await statusWith('Bearer wrong')).toBe(401);
    const tool = await buildAlertIntegration(api.root, sender.project.id, {
      type: 'external',
      external_url: 'https://pager.example.com/in',
      token: 'pager-token',
    });
    const toolPath = sender.path.replace(/[0-9a-f]{16}/, tool.endpoint_identifier);
    expect(await statusWith('Bearer pager-token', toolPath)).toBe(401);
    expect(await statusWith(`Bearer ${token}`)).toBe(403);
    await api.root.delete(`${integrations}/${tool.id}`);
    await api.root.put(`${integrations}/${id}`, { active: true });
    expect(await statusWith(`Bearer ${token}`)).toBe(200);
    await api.root.post(`/projects/${sender.project.id}/archive`);
    expect(await statusWith(`Bearer ${token}`)).toBe(403);
    await api.root.post(`/projects/${sender.project.id}/unarchive`);
    expect(await statusWith(`Bearer ${token}`)).toBe(200);
  });

  it('holds for former paths of projects, but not for removed projects', async () => {
    const { project, integration, path } = sender;
    const key = `Bearer ${integration.token}`;
    await api.root.put(`/projects/${project.id}`, { path: `${project.path}-moved` });
    expect(await statusWith(key)).toBe(200);
    const group = await buildGroup(api);
    const missing = { message: '404 Project Not Found' };
    for (const other of ['root/none', `${group.path}/none`, `${group.path}/${project.path}`]) {
      const answer = await sender.raw('{}', sender.bearer, path.replace(project.path_with_namespace, other));
      expect([answer.status, answer.body]).toEqual([404, missing]);
    }
    await api.sql('update projects set pending_delete = true where id = $1', [project.id]);
    const answer = await sender.raw('{}');
    expect([answer.status, answer.body]).toEqual([404, missing]);
  });

  it('does not extend to other methods and paths', async () => {
    const key = { Authorization: `Bearer ${sender.integration.token}` };
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
      expect((await fetch(api.url + sender.path, { method, headers: key })).status).toBe(404);
    for (const path of ['/alerts/notify.json', '/api/v4/a/alerts/notify.json', '/-/a/alerts/notify'])
      expect((await sender.raw('{}', sender.bearer, path)).body).toEqual({ error: '404 Not Found' });
  });

  describe('the rate limit', () => {
    const limit = (perMinute: number): Promise<unknown> =>
      api.root.put('/application/settings', { alert_rate_limit_per_minute: perMinute });
    beforeEach(() => limit(2));
    afterAll(() => limit(0));

    it('counts each project separately, and only callers with a key', async () => {
      const other = await AlertSender.open(api);
      for (let count = 0; count < 5; count += 1) expect(await statusWith('Bearer wrong')).toBe(401);
      const [first, second, third] = [await sender.raw('{}'), await sender.raw('{'), await sender.raw('{}')];
      expect([first.status, second.status, third.status]).toEqual([200, 400, 429]);
      expect(first.headers.get('ratelimit-remaining')).toBe('1');
      expect(first.headers.get('retry-after')).toBeNull();
      expect(third.body).toEqual({ message: '429 Too Many Requests' });
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
      const told = ['name', 'limit', 'observed', 'remaining'].map((name) =>
        third.headers.get(`ratelimit-${name}`),
      );
      expect(told).toEqual(['alert_rate_limit_per_minute', '2', '3', '0']);
      expect(await sender.rows()).toHaveLength(1);
      expect((await other.raw('{}')).status).toBe(200);
    });

    it('applies before the body has arrived', async () => {
      await sender.raw('{}');
      await sender.raw('{}');
      const head = `POST ${sender.path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${sender.bearer['Authorization'] ?? ''}\r\nContent-Length: 5000000\r\n\r\n{`;
      const answer = await sendRaw(api.url, head);
      expect(answer.status).toBe(429);
    });
  });
});
