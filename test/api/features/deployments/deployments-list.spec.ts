import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import {
  buildDeployment,
  fillDeployments,
  type BuiltDeployment,
} from '../../../support/builders/deployment.js';
import type { Answer } from '../../../support/client.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

const BASE = Date.parse('2026-01-01T00:00:00Z');
const time = (seconds: number): string => new Date(BASE + seconds * 1000).toISOString();

/** Number, environment, ref, status, updated and finished (in seconds; null while it is not over). */
const ROWS = [
  [1, 'production', 'b', 'success', 60, 30],
  [2, 'production', 'a', 'success', 50, 40],
  [3, 'staging', 'c', 'success', 40, 10],
  [4, 'production', 'a', 'failed', 30, 20],
  [5, 'staging', 'b', 'running', 20, null],
  [6, 'production', 'c', 'success', 50, 40],
] as const;

describe('the list of deployments', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const list = (query = ''): ReturnType<typeof team.reporter.get<BuiltDeployment[]>> =>
    team.reporter.get<BuiltDeployment[]>(`/projects/${team.projectId}/deployments${query}`);
  const iids = async (query: string): Promise<number[]> => {
    const answer = await list(query);
    expect(answer.status).toBe(200);
    return answer.body.map(({ iid }) => iid);
  };

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
    for (const [, environment, ref, status, updated, finished] of ROWS) {
      const { id } = await buildDeployment(team.developer, team.projectId, { environment, ref, status });
      await api.sql('update deployments set updated_at = $2, finished_at = $3 where id = $1', [
        id,
        time(updated),
        finished === null ? null : time(finished),
      ]);
    }
  });
  afterAll(() => api.close());

  it('is ordered by id by default, with full records', async () => {
    const answer = await list();
    expect(answer.body.map(({ iid }) => iid)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(answer.headers.get('x-total')).toBe('6');
    expect(answer.body[0]).toMatchObject({
      status: 'success',
      updated_at: time(60),
      environment: { name: 'production', slug: 'production' },
      user: { state: 'active' },
      approvals: [],
      pending_approval_count: 0,
    });
    for (const { sha } of answer.body) expect(sha).toMatch(/^[0-9a-f]{40}$/);
  });

  it.each([
    ['?sort=desc', [6, 5, 4, 3, 2, 1]],
    ['?order_by=iid&sort=desc', [6, 5, 4, 3, 2, 1]],
    ['?order_by=created_at', [1, 2, 3, 4, 5, 6]],
    ['?order_by=updated_at', [5, 4, 3, 2, 6, 1]],
    ['?order_by=updated_at&sort=desc', [1, 6, 2, 3, 4, 5]],
    ['?order_by=ref', [2, 4, 1, 5, 3, 6]],
    ['?order_by=finished_at', [3, 4, 1, 2, 6, 5]],
    ['?order_by=finished_at&sort=desc', [5, 6, 2, 1, 4, 3]],
    ['?environment=staging', [3, 5]],
    ['?environment=unknown', []],
    ['?status=failed', [4]],
    ['?status=created', []],
    ['?status=success&environment=production&order_by=ref', [2, 1, 6]],
    [`?updated_after=${time(40)}&updated_before=${time(50)}&order_by=updated_at`, [3, 2, 6]],
    [`?updated_after=${time(40)}&sort=desc`, [1, 6, 2, 3]],
    [`?updated_before=${time(30)}&order_by=ref`, [5, 4]],
    [`?finished_after=${time(30)}&order_by=finished_at&status=success`, [1, 2, 6]],
    [`?finished_before=${time(40)}&order_by=finished_at&status=success`, [3, 1]],
    [
      `?finished_after=${time(10)}&finished_before=${time(41)}&order_by=finished_at&status=success&environment=production&sort=desc`,
      [6, 2, 1],
    ],
  ])('%s', async (query, expected) => expect(await iids(query)).toEqual(expected));

  const BOTH = 'Both `updated_at` filter and `finished_at` filter can not be specified';
  const SORT = '`finished_at` filter requires `finished_at` sort.';
  const STATUS = '`finished_at` filter must be combined with `success` status filter.';
  it.each([
    ['order_by=name', { order_by: ['does not have a valid value'] }],
    ['sort=up', { sort: ['does not have a valid value'] }],
    ['status=skipped', { status: ['does not have a valid value'] }],
    ['updated_after=soon', { updated_after: ['is invalid'] }],
    ['sort[]=asc', { sort: ['is invalid'] }],
    [`finished_before=${time(1)}`, { finished_before: [SORT] }],
    [`finished_after=${time(1)}&order_by=id&status=success`, { finished_after: [SORT] }],
    [`finished_before=${time(1)}&order_by=finished_at`, { finished_before: [STATUS] }],
    [`finished_after=${time(1)}&order_by=finished_at&status=failed`, { finished_after: [STATUS] }],
    [
      `finished_after=${time(1)}&updated_before=${time(2)}&order_by=finished_at&status=success`,
      { finished_after: [BOTH] },
    ],
  ])('refuses %s', async (query, message) => {
    const answer = await list(`?${query}`);
    expect(answer.status).toBe(400);
    const { message: given } = answer.body as unknown as { message: Record<string, unknown> };
    for (const [name, problem] of Object.entries(message)) expect(given[name]).toEqual(problem);
  });

  it('interprets unusual page numbers', async () => {
    expect(await iids('?page=-1&per_page=2')).toEqual([1, 2]);
    expect(await iids('?per_page=100000')).toHaveLength(6);
    const far = await list('?page=1000000000000');
    expect(far.status).toBe(405);
    expect((await list('?per_page[]=1')).status).toBe(400);
  });

  it('walks by keyset in both directions, also when filtered', async () => {
    for (const [sort, expected] of [
      ['asc', [1, 2, 4, 6]],
      ['desc', [6, 4, 2, 1]],
    ] as const) {
      const seen: number[] = [];
      let next: string | undefined =
        `/projects/${team.projectId}/deployments?environment=production&pagination=keyset&order_by=id&per_page=2&sort=${sort}`;
      while (next !== undefined) {
        const page: Answer<BuiltDeployment[]> = await team.reporter.get<BuiltDeployment[]>(next);
        seen.push(...page.body.map(({ iid }) => iid));
        next = /<([^>]+)>; rel="next"/
          .exec(page.headers.get('link') ?? '')?.[1]
          ?.replace(/^https?:\/\/[^/]+/, '');
      }
      expect(seen).toEqual(expected);
    }
    const other = await list('?pagination=keyset&order_by=ref&sort=asc');
    expect(other.status).toBe(405);
  });

  it('counts the remaining ones after removals, up to 10,000', async () => {
    const own = await buildProjectTeam(api);
    const path = `/projects/${own.projectId}/deployments`;
    const { environment } = await buildDeployment(own.developer, own.projectId);
    await fillDeployments(api, own.projectId, environment.id, 9_999);
    const total = async (): Promise<string | null> =>
      (await own.reporter.get(`${path}?per_page=1`)).headers.get('x-total');
    expect(await total()).toBe('10000');
    const [failed] = (await own.reporter.get<BuiltDeployment[]>(`${path}?status=failed`)).body;
    await own.maintainer.delete(`${path}/${failed?.id ?? 0}`);
    expect(await total()).toBe('9999');
    await buildDeployment(own.developer, own.projectId);
    await buildDeployment(own.developer, own.projectId);
    expect(await total()).toBeNull();
    const filtered = await own.reporter.get(`${path}?status=failed&per_page=1`);
    expect(Number(filtered.headers.get('x-total'))).toBeGreaterThan(1_000);
    expect(await iidsOf(own, `${path}?order_by=iid&sort=desc&per_page=2`)).toEqual([10_002, 10_001]);
  });

  async function iidsOf(own: ProjectTeam, path: string): Promise<number[]> {
    return (await own.reporter.get<BuiltDeployment[]>(path)).body.map(({ iid }) => iid);
  }

  it('shows a deployment whose user was removed', async () => {
    const own = await buildProjectTeam(api);
    const made = await buildDeployment(own.developer, own.projectId);
    await api.sql('update deployments set user_id = null where id = $1', [made.id]);
    const [record] = (await own.reporter.get(`/projects/${own.projectId}/deployments`))
      .body as unknown as object[];
    expect(record).toMatchObject({ id: made.id, user: null });
  });
});

describe('merge requests of a deployment', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const at = (suffix: string): string => `/projects/${team.projectId}/deployments/${suffix}`;

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  it('is empty, for any valid filters', async () => {
    const { id } = await buildDeployment(team.developer, team.projectId);
    const query = `state=merged&order_by=merged_at&sort=asc&scope=created-by-me&author_id=1&assignee_id=Any&labels=a,b&milestone=None&created_after=2026-01-01T00:00:00Z&in=title,description&wip=no&not[labels][]=x&view=simple`;
    const answer = await team.reporter.get(at(`${id}/merge_requests?${query}`));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([]);
    expect(answer.headers.get('x-total')).toBe('0');
  });

  it.each([
    ['state=open', { state: ['does not have a valid value'] }],
    ['order_by=age', { order_by: ['does not have a valid value'] }],
    ['assignee_id=me', { assignee_id: ['is invalid'] }],
    ['author_id=1&author_username=a', { author_id: ['is mutually exclusive with author_username'] }],
    ['updated_before=x', { updated_before: ['is invalid'] }],
    ['not[author_id]=x', { not: { author_id: ['is invalid'] } }],
  ])('refuses %s', async (query, message) => {
    const answer = await team.reporter.get(at(`1/merge_requests?${query}`));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ message });
  });
});
