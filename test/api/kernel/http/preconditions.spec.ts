import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';

describe('HTTP semantics', () => {
  let api: TestApi;
  let jane: CreatedUser;
  beforeAll(async () => {
    api = await startApi();
    jane = await createUser(api);
  });
  afterAll(() => api.close());

  it('include WWW-Authenticate with every 401 (RFC 9110 15.5.2)', async () => {
    let refused = 0;
    for (const { method, path } of listRoutes(api.app)) {
      if (!path.startsWith('/api/v4/')) continue;
      // The test client throws if the header is missing.
      const url = path.replace(/[:*]\w+/g, '1');
      refused += Number((await api.anonymous.send(method, url)).status === 401);
    }
    expect(refused).toBeGreaterThan(100);
  });

  it('prevent changes if the state does not match If-Match', async () => {
    const { id } = await buildGroup(api, {}, jane.client);
    const at = `/groups/${id}`;
    const tag = (await jane.client.get(at)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^W/);
    for (const named of ['"other"', tag]) {
      const headers = { 'If-Match': named };
      expect((await jane.client.get(at, headers)).status).toBe(412);
      expect((await jane.client.put(at, { description: 'new' }, headers)).status).toBe(412);
      expect((await jane.client.delete(at, headers)).body).toEqual({ message: '412 Precondition Failed' });
      expect((await api.anonymous.put(at, { description: 'new' }, headers)).status).toBe(401);
    }
    const any = { 'If-Match': '*' };
    expect((await jane.client.get(at, any)).body['description']).toBe('');
    expect((await jane.client.put(at, { description: 'new' }, any)).body['description']).toBe('new');
  });

  it('prevent responses with another file or range than the requested one', async () => {
    const { id } = await buildProject(jane.client, {});
    const at = `/projects/${id}/packages/generic/tool/1.0/tool.txt`;
    await jane.client.put(at, 'content');
    const tag = (await jane.client.get(at)).headers.get('etag') ?? '';
    const part = { Range: 'bytes=0-2' };
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await jane.client.get(at, headers)).status;
    for (const named of [tag, '*', `"other", ${tag}`])
      expect(await statusOf({ 'If-Match': named, ...part })).toBe(206);
    for (const [range, status] of [
      ['5-2', 200],
      ['-99', 206],
      ['-0', 416],
    ] as const)
      expect([range, await statusOf({ Range: `bytes=${range}` })]).toEqual([range, status]);
    for (const named of ['"other"', `W/${tag}`])
      expect(await statusOf({ 'If-Match': named, 'If-None-Match': tag, ...part })).toBe(412);
  });

  it('report the lost plus of a time', async () => {
    const { id } = await buildProject(jane.client, {});
    const lost = { updated_after: ['is invalid: a + in a URL is written %2B'] };
    for (const time of ['2024-05-01T10:00:00+02:00', '2024-05-01T10:00:00.5+0200']) {
      const at = `/projects/${id}/deployments?updated_after=`;
      expect((await jane.client.get(at + time)).body).toEqual({ message: lost });
      expect((await jane.client.get(at + encodeURIComponent(time))).status).toBe(200);
    }
    const nonsense = await jane.client.get(`/projects/${id}/deployments?updated_after=a+b`);
    expect(nonsense.body).toEqual({ message: { updated_after: ['is invalid'] } });
  });
});
