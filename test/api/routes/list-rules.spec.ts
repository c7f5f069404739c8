import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDocument } from '../../support/api-document.js';
import type { TestApi } from '../../support/api.js';
import { buildGroup } from '../../support/builders/group.js';
import { buildProject } from '../../support/builders/project.js';
import { MergeWorld } from '../../support/merge-world.js';
import { borrowApi } from '../../support/shared-api.js';

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
}

let api: TestApi;
let lists: { path: string; required: string }[];
beforeAll(async () => {
  api = await borrowApi();
  const { paths } = await readDocument<{ paths: Record<string, Record<string, Operation>> }>(api.anonymous);
  lists = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v4/'))
    .flatMap(([path, { get }]) => {
      const parameters = get?.parameters ?? [];
      if (!parameters.some(({ name }) => name === 'per_page')) return [];
      const asked = parameters.filter((one) => one.in === 'query' && one.required);
      return [
        {
          path: path.replace(/\{[^}]+\}/g, '1'),
          required: asked.map(({ name }) => `&${encodeURIComponent(name)}=2030-01-01`).join(''),
        },
      ];
    });
});
afterAll(() => api.close());

describe('every list of the route table', () => {
  it('refuses unknown orders', async () => {
    expect(lists.length).toBeGreaterThan(100);
    const taken: string[] = [];
    for (const { path, required } of lists)
      for (const name of ['order_by', 'sort']) {
        const { status, body } = await api.root.get<{ message: unknown }>(`${path}?${name}=junk${required}`);
        const message = JSON.stringify(body.message);
        if (status !== 400 || !message.includes(`"${name}":["does not have a valid value"]`))
          taken.push(`${path}?${name}: ${status} ${message}`);
      }
    expect(taken).toEqual([]);
  });

  it('ends by keyset without a link, and is empty and without a link beyond the end', async () => {
    const { id: group } = await buildGroup(api);
    const projects = [];
    for (let count = 0; count < 3; count += 1)
      projects.push((await buildProject(api.root, { namespace_id: group })).id);
    const linked: string[] = [];
    for (const sort of ['asc', 'desc']) {
      const query = `pagination=keyset&order_by=id&sort=${sort}`;
      const far = sort === 'asc' ? 'id_after=999999' : 'id_before=1';
      const whole = await api.root.get<unknown[]>(`/projects?${query}&per_page=3`);
      const begun = await api.root.get<unknown[]>(`/projects?${query}&per_page=2`);
      const beyond = await api.root.get<unknown[]>(`/projects?${query}&${far}`);
      const all = [whole, begun, beyond].map(({ status, body, headers }) => [
        status,
        body.length,
        headers.has('link'),
      ]);
      expect(all).toEqual([
        [200, 3, false],
        [200, 2, true],
        [200, 0, false],
      ]);
    }
    // Lists of a single subject have few rows here: their first page is their last.
    for (const { path, required } of lists) {
      const of = path
        .replace('/projects/1', `/projects/${projects[0] ?? 0}`)
        .replace('/groups/1', `/groups/${group}`);
      const answer = await api.root.get<unknown>(
        `${of}?pagination=keyset&order_by=id&sort=asc&per_page=100${required}`,
      );
      if (answer.status === 200 && answer.headers.has('link')) linked.push(of);
    }
    expect(linked).toEqual([]);
  });
});

it('the totals of commits are correct, for a project and for a merge request', async () => {
  const world = await MergeWorld.build(api);
  const { iid } = await world.open('counted');
  await world.commit('counted', { 'second.txt': '2' });
  await world.when(iid, ({ changes_count: count }) => count === '2');
  const facts = async (path: string): Promise<unknown[]> => {
    const { headers, body } = await world.dev.get<unknown[]>(path);
    const rels = [...(headers.get('link') ?? '').matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel).join(' ');
    return [body.length, headers.get('x-total'), headers.get('x-total-pages'), rels];
  };
  const commits = `${world.base}/repository/commits`;
  expect(await facts(`${commits}?per_page=1`)).toEqual([1, '2', '2', 'next first last']);
  expect(await facts(`${commits}?per_page=1&page=2`)).toEqual([1, '2', '2', 'prev first last']);
  expect(await facts(`${commits}?per_page=1&page=9`)).toEqual([0, '2', '2', 'first last']);
  expect(await facts(`${commits}?per_page=1&path=a.txt`)).toEqual([1, '1', '1', 'first last']);
  expect(await facts(`${commits}?per_page=1&all=true`)).toEqual([1, '4', '4', 'next first last']);
  expect(await facts(`${commits}?path=none`)).toEqual([0, '0', '1', 'first last']);
  const requested = `${world.base}/merge_requests/${iid}/commits`;
  expect(await facts(`${requested}?per_page=1`)).toEqual([1, '2', '2', 'next first last']);
  expect(await facts(`${requested}?per_page=1&page=3`)).toEqual([0, '2', '2', 'first last']);
  const bare = await buildProject(api.root);
  const none = await api.root.get(`/projects/${bare.id}/repository/commits`);
  expect(none.headers.get('x-total')).toBe('0');
});
