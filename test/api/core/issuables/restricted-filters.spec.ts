import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { readDocument } from '../../../support/api-document.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { addUser } from '../../../support/builders/instance.js';
import type { ApiClient } from '../../../support/client.js';
import { OPEN_WORLD } from '../../../support/hidden-facts.js';
import { arrangeWorld } from '../../../support/hostile/world.js';
import { OPEN_FILTERS, RESTRICTED, type Restriction } from '../../../support/restricted-filters.js';
import { pathOf } from '../../../support/role-matrix.js';

interface Document {
  readonly paths: Record<string, Record<string, { parameters?: readonly { name: string; in: string }[] }>>;
}

interface List {
  readonly template: string;
  readonly path: string;
  readonly filters: readonly string[];
}

describe('filters of lists', () => {
  let api: TestApi;
  let lists: List[];
  let callers: Record<Restriction['who'], ApiClient>;

  beforeAll(async () => {
    api = await startApi();
    await arrangeWorld(api);
    await api.sql(OPEN_WORLD);
    // The order by size differs from the order by age.
    await api.sql(
      `insert into project_statistics (project_id, repository_size, wiki_size, packages_size) values (300, 9, 9, 9)
       on conflict (project_id) do update set repository_size = 9, wiki_size = 9, packages_size = 9`,
    );
    const stranger = api.as((await addUser(api, 'stranger')).token);
    callers = { stranger, anonymous: api.anonymous, free: stranger, administrator: api.root };
    const { paths } = await readDocument<Document>(api.anonymous);
    lists = listRoutes(api.app)
      .filter(
        (route) => route.isPaged && route.path.startsWith('/api/v4/') && !route.path.includes('/probe/'),
      )
      .map((route) => {
        const template = route.path.replace(/[:*](\w+)/g, '{$1}');
        const named = paths[template]?.['get']?.parameters ?? [];
        const filters = named.filter((one) => one.in === 'query').map(({ name }) => name.replace('[]', ''));
        return { template, path: pathOf(route), filters };
      });
  });
  afterAll(() => api.close());

  const plan = (name: string): Promise<unknown> =>
    api.sql('update application_settings set license_plan = $1, version = version + 1', [name]);

  it('are each documented as open to everyone or restricted', () => {
    const open = new Set(OPEN_FILTERS.split(/\s+/));
    const unknown = lists.flatMap(({ template, filters }) =>
      filters
        .filter(
          (name) => !open.has(name) && !RESTRICTED.some((one) => one.name === name && one.of.test(template)),
        )
        .map((name) => `${template}?${name}`),
    );
    expect(unknown).toEqual([]);
    expect(lists.length).toBeGreaterThan(100);
  });

  it('have the documented effect for restricted callers', async () => {
    const problems: string[] = [];
    const tried = new Set<Restriction>();
    for (const restriction of RESTRICTED) {
      const { name, of, who, values, effect, beside = '' } = restriction;
      const client = callers[who];
      if (who === 'free') await plan('free');
      for (const { template, path, filters } of lists) {
        if (!filters.includes(name) || !of.test(template)) continue;
        const at = `${path}${path.includes('?') ? '&' : '?'}per_page=100${beside}`;
        const without = await client.get<unknown[]>(at);
        for (const value of values) {
          const asked = await client.get<unknown[]>(`${at}&${name}=${value}`);
          const ids = ({ body }: typeof asked): string => JSON.stringify(body);
          const isRight =
            typeof effect === 'number'
              ? asked.status === effect
              : effect === 'ignored'
                ? asked.status === without.status && ids(asked) === ids(without)
                : asked.status === 200 && asked.body.length === 0;
          const hasSaid = typeof effect === 'number' || without.status === 200;
          if (hasSaid) tried.add(restriction);
          if (hasSaid && !isRight)
            problems.push(
              `${who}: ${template}?${name}=${value} is not ${effect}: ${asked.status} ${asked.text.slice(0, 200)}`,
            );
        }
      }
      if (who === 'free') await plan('ultimate');
    }
    expect(problems).toEqual([]);
    expect(RESTRICTED.filter((one) => !tried.has(one))).toEqual([]);
  });
});
