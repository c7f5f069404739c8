import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/api.js';
import { addGroup, addProject } from '../../support/builders/instance.js';
import { buildBrowser } from '../../support/builders/session.js';
import type { PageClient, PageReply } from '../../support/page-client.js';
import { borrowApi } from '../../support/shared-api.js';

interface Key {
  readonly id: number;
  readonly sentry_dsn: string;
}

describe('the page of settings of error tracking', () => {
  let api: TestApi;
  let group: number;
  let project: number;
  let admin: PageClient;
  let count = 0;
  const api4 = (suffix: string): string => `/projects/${project}/error_tracking/${suffix}`;
  const page = (suffix = ''): string => `/-/projects/${project}/error_tracking/settings${suffix}`;
  const send = async (
    suffix: string,
    method: string,
    fields: Record<string, string> = {},
  ): Promise<PageReply> => {
    await admin.get(page());
    return admin.submit(page(suffix), { _method: method, ...fields });
  };
  const stored = async (): Promise<unknown> => (await api.root.get(api4('settings'))).body;
  const keys = async (): Promise<Key[]> => (await api.root.get<Key[]>(api4('client_keys'))).body;

  beforeAll(async () => {
    api = await borrowApi();
    group = await addGroup(api, 'shop');
    admin = await buildBrowser(api, 1);
  });
  beforeEach(async () => {
    project = await addProject(api, group, `shop/web-${(count += 1)}`);
  });
  afterAll(() => api.close());

  it('switches tracking on and off', async () => {
    expect((await admin.get(page())).text).toContain('No keys yet.');
    await send('', 'put');
    expect(await stored()).toMatchObject({ active: false, integrated: true });
    expect(await keys()).toEqual([]);
    const reply = await send('', 'put', { active: '1' });
    expect([reply.status, reply.location]).toEqual([303, page()]);
    expect(await stored()).toMatchObject({ active: true, integrated: true });
    const { text } = await admin.get(page());
    expect(text).toMatch(/name="active"[^>]*checked/);
    const [key] = await keys();
    expect(text).toContain(`value="${key?.sentry_dsn}"`);
    await send('', 'put');
    expect((await admin.get(page())).text).not.toMatch(/name="active"[^>]*checked/);
    expect(await stored()).toMatchObject({ active: false, integrated: true });
  });

  it('keeps errors in an external tracker until the integrated one is enabled', async () => {
    await api.root.put(api4('settings'), { active: true, integrated: false });
    expect((await admin.get(page())).text).not.toMatch(/name="active"[^>]*checked/);
    await send('', 'put');
    expect(await stored()).toMatchObject({ active: true, integrated: false });
    await send('', 'put', { active: '1' });
    expect(await stored()).toMatchObject({ active: true, integrated: true });
  });

  it('links to no page of keys that is refused', async () => {
    for (let index = 0; index < 3; index += 1) await send('/keys', 'post');
    const set = (limit: number): Promise<unknown> =>
      api.root.put('/application/settings', { offset_pagination_limit: limit });
    await set(2);
    try {
      expect((await admin.get(page('?per_page=1'))).text).toContain('page=2');
      const { text } = await admin.get(page('?per_page=1&page=2'));
      expect(text).toContain('page=1');
      expect(text).toContain('What follows is not shown');
      expect(text).not.toContain('page=3');
    } finally {
      await set(50_000);
    }
  });

  it('adds keys, and removes them after confirmation', async () => {
    expect([(await send('/keys', 'post')).location, (await send('/keys', 'post')).location]).toEqual([
      page(),
      page(),
    ]);
    const [first, second] = await keys();
    const { text } = await admin.get(page());
    for (const key of [first, second]) expect(text).toContain(`value="${key?.sentry_dsn}"`);
    const asked = await admin.get(page(`/keys/${first?.id}/delete`));
    expect(asked.text).toMatch(new RegExp(`Remove key ${first?.id}\\s*</button>`));
    expect(await keys()).toHaveLength(2);
    expect((await send(`/keys/${first?.id}`, 'delete')).location).toBe(page());
    expect(await keys()).toEqual([second]);
    expect((await send(`/keys/${first?.id}`, 'delete')).status).toBe(404);
  });

  it('shows keys a page at a time', async () => {
    await api.sql(
      `insert into error_tracking_client_keys (project_id, public_key)
       select $1::bigint, 'k' || $1::bigint || '_' || n from generate_series(1, 25) n`,
      [project],
    );
    const { text } = await admin.get(page());
    expect(text.match(/<label for="f-dsn_\d+"/g)).toHaveLength(20);
    expect(text).toContain('page=2&amp;per_page=20" rel="next"');
  });
});
