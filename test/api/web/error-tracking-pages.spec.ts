import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/api.js';
import { addGroup, addProject } from '../../support/builders/instance.js';
import { buildBrowser } from '../../support/builders/session.js';
import { addTrackedError } from '../../support/builders/tracked-error.js';
import { createUser } from '../../support/builders/user.js';
import { PageClient, type PageReply } from '../../support/page-client.js';
import { borrowApi } from '../../support/shared-api.js';
import { textOf } from '../../support/storage-move-pages.js';

const HOSTILE = `<img src=x onerror=alert(1)>"'</script><script>alert(1)</script>`;
const LINK = 'javascript:alert(1)';

describe('the pages of error tracking', () => {
  let api: TestApi;
  let group: number;
  let project: number;
  let admin: PageClient;
  let count = 0;
  const at = (suffix = '', of = project): string => `/-/projects/${of}/error_tracking${suffix}`;
  const shown = async (suffix = ''): Promise<string> => textOf((await admin.get(at(suffix))).text);
  /** The browser of a user with a role in the project; 0 for none. */
  async function member(level: number): Promise<PageClient> {
    const user = await createUser(api);
    if (level > 0)
      await api.root.post(`/projects/${project}/members`, { user_id: user.id, access_level: level });
    return buildBrowser(api, user.id);
  }
  const send = async (
    path: string,
    method: string,
    fields: Record<string, string> = {},
  ): Promise<PageReply> => {
    if (admin.formToken === '') await admin.get(at('/settings'));
    return admin.submit(path, { _method: method, ...fields });
  };

  beforeAll(async () => {
    api = await borrowApi();
    group = await addGroup(api, 'shop');
    admin = await buildBrowser(api, 1);
  });
  beforeEach(async () => {
    project = await addProject(api, group, `shop/web-${(count += 1)}`);
  });
  afterAll(() => api.close());

  it('are only for users who have signed in and have the role', async () => {
    const { id } = await addTrackedError(api, project);
    const [list, error] = [at(), at(`/errors/${id}`)];
    const [settings, question] = [at('/settings'), at('/settings/keys/1/delete')];
    for (const path of [list, error, settings, question])
      expect((await new PageClient(api.url).get(path)).location).toBe('/users/sign_in');
    const statuses = async (level: number): Promise<number[]> => {
      const browser = await member(level);
      const answers: number[] = [];
      for (const path of [list, error, settings]) answers.push((await browser.get(path)).status);
      await browser.get('/-/profile');
      answers.push((await browser.submit(error, { _method: 'put', status: 'ignored' })).status);
      answers.push((await browser.submit(settings, { _method: 'put', active: '1' })).status);
      answers.push((await browser.submit(`${settings}/keys`)).status);
      return answers;
    };
    expect(await statuses(0)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(await statuses(10)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(await statuses(20)).toEqual([200, 200, 403, 403, 403, 403]);
    expect(await statuses(30)).toEqual([200, 200, 403, 303, 403, 403]);
    expect(await statuses(40)).toEqual([200, 200, 200, 303, 303, 303]);
  });

  it('list errors by state, order and search text', async () => {
    await addTrackedError(api, project, { name: 'OldError', hoursAgo: [50, 40, 30], description: 'a total' });
    await addTrackedError(api, project, {
      name: 'NewError',
      hoursAgo: [3, 2],
      actor: 'Cart.total',
      environment: 'live',
    });
    await addTrackedError(api, project, { name: 'DoneError', status: 'resolved' });
    await addTrackedError(api, project, { name: 'LoudError', status: 'ignored' });
    const named = async (query = ''): Promise<string[]> =>
      [...(await shown(query)).matchAll(/\b(Old|New|Done|Loud)Error\b/g)].map(([, name = '']) => name);
    expect(await named()).toEqual(['New', 'Old']);
    expect(await named('?order=first_seen')).toEqual(['New', 'Old']);
    expect(await named('?order=frequency')).toEqual(['Old', 'New']);
    expect(await named('?status=resolved')).toEqual(['Done']);
    expect(await named('?status=ignored')).toEqual(['Loud']);
    expect(await named('?search=TOTAL')).toEqual(['New', 'Old']);
    expect(await named('?search=old')).toEqual(['Old']);
    expect(await shown('?search=%25')).toContain('No errors match this filter.');
    expect(await shown()).toMatch(/NewError error Cart\.total · live 2 0 Last \d{4}-\d\d-\d\d/);
    const first = await admin.get(at('?per_page=1'));
    expect(first.text).toMatch(
      /href="[^"]*\?status=unresolved&amp;order=last_seen&amp;search=&amp;page=2&amp;per_page=1" rel="next"/,
    );
    const wrong = await admin.get(at('?status=gone'));
    expect(wrong.status).toBe(400);
  });

  it('draw the events of the last 24 hours without a script', async () => {
    await addTrackedError(api, project, { hoursAgo: [30, 23, 2, 2, 2, 0] });
    const { text } = await admin.get(at());
    const [svg = ''] = /<svg\s+class="spark"[\s\S]*?<\/svg>/.exec(text) ?? [];
    expect(svg).toContain('aria-label="5 events in the last 24 hours, at most 3 an hour"');
    const heights = [...svg.matchAll(/height="(\d+)"\s*(class="none")?/g)]
      .slice(1)
      .map(([, height]) => Number(height));
    expect(heights).toHaveLength(24);
    expect([heights[0], heights[21], heights[23]]).toEqual([11, 32, 11]);
    expect(heights.filter((height) => height === 1)).toHaveLength(21);
  });

  it('report that errors are not accepted', async () => {
    const notice = 'Error tracking is turned off.';
    expect(await shown()).toContain(notice);
    await send(at('/settings'), 'put', { active: '1' });
    expect(await shown()).not.toContain(notice);
    await send(at('/settings'), 'put');
    expect(await shown()).toContain(notice);
  });

  const frames = [
    { function: 'main', filename: 'node:internal', lineno: 1, in_app: false, context_line: 'boot()' },
    {
      function: 'Cart.total',
      filename: 'src/cart.js',
      lineno: 8,
      colno: 11,
      in_app: true,
      pre_context: ['if (items < 1) {'],
      context_line: '  throw new CartError("a & b")',
      post_context: ['}'],
    },
  ];
  const payload = {
    exception: {
      values: [
        { type: 'RangeError', value: 'Too far' },
        { type: 'CartError', value: 'No total', stacktrace: { frames } },
      ],
    },
    tags: { region: 'north' },
    user: { username: 'jane' },
    breadcrumbs: [{ category: 'http', message: 'GET /cart' }],
  };

  it('show an error with the calls and lines around it, and step through its events', async () => {
    const { id, events } = await addTrackedError(api, project, {
      name: 'CartError',
      description: 'No total',
      hoursAgo: [800, 49, 1],
      payload,
    });
    const { text } = await admin.get(at(`/errors/${id}`));
    const words = textOf(text);
    expect(words).toContain('Last event');
    expect(words).toMatch(/CartError No total src\/cart\.js:8:11 in Cart\.total own code/);
    expect(words).toMatch(/if \(items &lt; 1\) \{ throw new CartError\(&quot;a &amp; b&quot;\) \}/);
    expect(words).toMatch(/Caused by RangeError Too far Without a stack trace\./);
    expect(words).toMatch(/User jane Tags Name Value region north .* http GET \/cart/);
    expect(words).toContain('2 events in the last 30 days');
    // Frames of the application are expanded, the others can be expanded.
    expect(text.match(/<details class="frame" open/g)).toHaveLength(1);
    expect(text).toMatch(/<li value="8" class="current">\s*<code> {2}throw/);
    const [oldest = 0, middle = 0, last = 0] = events;
    expect(text).toContain(`?event=${middle}" rel="prev"`);
    expect(text).not.toContain('rel="next"');
    const second = (await admin.get(at(`/errors/${id}?event=${middle}`))).text;
    expect(second).toContain(`?event=${oldest}" rel="prev"`);
    expect(second).toContain(`?event=${last}" rel="next"`);
    expect(textOf(second)).toContain('Earlier event');
  });

  it('do not show other projects and errors', async () => {
    const other = await addProject(api, group, `shop/other-${count}`);
    const { id: foreign } = await addTrackedError(api, other);
    const { id, events } = await addTrackedError(api, project);
    const second = await addTrackedError(api, project);
    expect((await admin.get(at(`/errors/${foreign}`))).status).toBe(404);
    expect((await send(at(`/errors/${foreign}`), 'put', { status: 'resolved' })).status).toBe(404);
    expect((await admin.get(at(`/errors/${second.id}?event=${events[0]}`))).status).toBe(404);
    for (const [suffix, status] of [
      [`/errors/${id}?event=999999999999999`, 404],
      [`/errors/${id}?event=9007199254740991`, 400],
      [`/errors/${id}?event[]=1`, 400],
      ['/errors/9007199254740991', 404],
      ['/errors/0', 400],
      ['/errors/x', 400],
    ] as const)
      expect([suffix, (await admin.get(at(suffix))).status]).toEqual([suffix, status]);
    const key = await api.sql<{ id: number }>(
      `insert into error_tracking_client_keys (project_id, public_key) values ($1, 'k${other}') returning id`,
      [other],
    );
    const path = at(`/settings/keys/${key[0]?.id}`);
    expect([(await admin.get(`${path}/delete`)).status, (await send(path, 'delete')).status]).toEqual([
      404, 404,
    ]);
  });

  it('show texts of applications escaped, and without links', async () => {
    const nasty = {
      message: HOSTILE,
      tags: { [HOSTILE]: LINK },
      request: { url: LINK, method: HOSTILE },
      user: { username: HOSTILE },
      exception: {
        values: [
          {
            type: HOSTILE,
            value: HOSTILE,
            stacktrace: {
              frames: [
                { filename: LINK, function: HOSTILE, context_line: HOSTILE, pre_context: [LINK, 7, null] },
              ],
            },
          },
        ],
      },
      breadcrumbs: { values: [{ category: HOSTILE, message: LINK }] },
    };
    const shape = { name: HOSTILE, description: LINK, actor: HOSTILE, environment: HOSTILE, level: HOSTILE };
    const { id } = await addTrackedError(api, project, { ...shape, payload: nasty });
    for (const suffix of ['', `/errors/${id}`, `?search=${encodeURIComponent(HOSTILE)}`]) {
      const { status, text, headers } = await admin.get(at(suffix));
      expect(status).toBe(200);
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;');
      expect(text).not.toMatch(/<img|<script>alert|(href|src|action)="javascript:/i);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
      const targets = [...text.matchAll(/ (?:href|action|src)="([^"]*)"/g)].map(([, target = '']) => target);
      expect(targets.filter((target) => !/^([/#]|data:,$)/.test(target))).toEqual([]);
    }
  });

  it.each([
    ['a text'],
    [[]],
    [null],
    [{ exception: { values: 'x' } }],
    [{ exception: [{ stacktrace: [] }] }],
  ])('show an error whose event is %j', async (odd) => {
    const { id } = await addTrackedError(api, project, { payload: odd });
    expect((await admin.get(at(`/errors/${id}`))).status).toBe(200);
  });

  it('show an error without remaining events', async () => {
    const { id } = await addTrackedError(api, project, { hoursAgo: [] });
    expect(await shown(`/errors/${id}`)).toContain('Its events are no longer stored.');
  });

  it('resolve, ignore and open errors again', async () => {
    const { id } = await addTrackedError(api, project);
    const path = at(`/errors/${id}`);
    for (const [status, said, button] of [
      ['resolved', 'The error has been resolved.', 'Reopen'],
      ['unresolved', 'The error is open again.', 'Resolve'],
      ['ignored', 'Error ignored.', 'Reopen'],
    ] as const) {
      const reply = await send(path, 'put', { status });
      expect([reply.status, reply.location]).toEqual([303, path]);
      const { text } = await admin.get(path);
      expect(text).toContain(said);
      expect(text).toMatch(new RegExp(`<button[^>]*>\\s*${button}`));
      expect((await api.root.get(`/projects/${project}/error_tracking/errors/${id}`)).body).toMatchObject({
        status,
      });
    }
    expect((await send(path, 'put', { status: 'gone' })).status).toBe(400);
    expect((await send(path, 'put')).status).toBe(400);
  });

  it('lead from a former path of the project to its id', async () => {
    await api.sql(
      `insert into routes (path, source_type, source_id, redirect) values ($1, 'Project', $2, true)`,
      [`shop/former-${count}`, project],
    );
    const former = `/-/projects/shop%2Fformer-${count}/error_tracking?status=ignored`;
    expect((await admin.get(former)).status).toBe(200);
    await api.root.post('/features/api_redirect_moved_projects', { value: 'true' });
    const { status, location } = await admin.get(former);
    await api.root.delete('/features/api_redirect_moved_projects');
    expect([status, location]).toEqual([301, `http://forgeplane.test${at('?status=ignored')}`]);
  });
});
